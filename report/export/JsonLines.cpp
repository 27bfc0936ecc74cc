#include "report/export/JsonLines.hpp"

#include "base/Version.hpp"
#include "report/answers/Ranking.hpp"
#include "report/export/StepWalk.hpp"
#include "report/export/Text.hpp"

#include <fmt/format.h>
#include <ostream>

namespace popscope {
namespace {

std::string orNull(bool known, std::uint64_t value) { return known ? std::to_string(value) : "null"; }
const char *orFalse(bool value) { return value ? "true" : "false"; }

// Writes the lines of the compilation: profile, programs, tiles and variables.
void writeCompilation(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  const pva::Target target = report.compilation().target();
  out << fmt::format(
             R"({{"type":"profile","tool":"popscope {}","target":{},"ipus":{},"tiles":{},"bytesPerTile":{},"clockHz":{:.0f},"cycles":{},"complete":{}}})",
             kOwnVersion, jsonString(target.architectureName()), target.numIPUs(), target.numTiles(),
             target.bytesPerTile(), target.clockFrequency(), jsonString(report.popscope().cycleProvenance()),
             orFalse(report.popscope().complete()))
      << "\n";
  for (const pva::CompilePhase &p : report.popscope().compilePhases())
    out << fmt::format(
               R"({{"type":"compilePhase","name":{},"parent":{},"startUs":{:.3f},"wallUs":{:.3f},"cpuUs":{:.3f},"bytesBefore":{},"bytesAfter":{},"peakBytes":{}}})",
               jsonString(p.name), p.isPart ? std::to_string(p.parent) : "null", p.startMicroseconds,
               p.wallMicroseconds, p.cpuMicroseconds, orNull(p.memoryKnown, p.bytesBefore),
               orNull(p.memoryKnown, p.bytesAfter), orNull(p.memoryKnown, p.peakBytes))
        << "\n";
  NamedPrograms titles(report);
  for (const auto &program : allPrograms(report)) {
    const StepProgramInfo &info = titles.of(*program);
    std::string children;
    for (const auto &child : program->children())
      children += (children.empty() ? "" : ",") + std::to_string(child->_id());
    out << fmt::format(R"({{"type":"program","id":{},"kind":{},"name":{},"children":[{}]}})", info.id,
                       jsonString(pva::programTypeName(info.type)), jsonString(info.name), children)
        << "\n";
  }
  const auto tiles = report.compilation().tiles();
  for (const std::size_t tile : selectedTiles(report, options.selection)) {
    const pva::TileMemory memory = tiles[tile].memory();
    out << fmt::format(
               R"({{"type":"tile","tile":{},"bytes":{},"bytesIncludingGaps":{},"overflowedBytes":{},"alwaysLiveBytes":{},"peakNotAlwaysLiveBytes":{}}})",
               tile, memory.total().excludingGaps(), memory.total().includingGaps(),
               memory.overflowed().excludingGaps(), memory.alwaysLiveBytes(), memory.notAlwaysLiveBytes())
        << "\n";
  }
  for (const auto &variable : report.compilation().variables()) {
    std::string spans;
    for (const auto &span : variable.liveSteps())
      spans += fmt::format("{}[{},{}]", spans.empty() ? "" : ",", span.start(), span.end());
    out << fmt::format(
               R"({{"type":"variable","id":{},"name":{},"category":{},"bytes":{},"alwaysLive":{},"liveSteps":[{}]}})",
               variable._id(), jsonString(variable.name()), jsonString(variable.category()), variable.size(),
               orFalse(variable.alwaysLive()), spans)
        << "\n";
  }
}

void writeStep(std::ostream &out, const WalkedStep &step) {
  std::string ipus;
  for (std::size_t ipu = 0; ipu < step.ipus.size(); ++ipu) {
    const pva::ExecutionStepIpu &on = step.ipus[ipu];
    const bool all = on.timeKnown() && on.busyCyclesKnown(); // false: only the longest tile's time is known
    ipus += fmt::format(
        R"({}{{"ipu":{},"cycles":{},"from":{},"to":{},"activeTiles":{},"busyTileCycles":{},"bytesReceived":{},"bytesSent":{}}})",
        ipu == 0 ? "" : ",", ipu, orNull(on.cyclesKnown(), on.cycles()), orNull(all, on.allCycles().from().min()),
        orNull(all, on.allCycles().to().max()), on.activeTiles(), orNull(on.busyCyclesKnown(), on.busyCycles()),
        on.dataIn(), on.dataOut());
  }
  out << fmt::format(R"({{"type":"step","run":{},"step":{},"program":{},"kind":{},"name":{},"part":{},"ipus":[{}]}})",
                     step.run, step.index, step.program->id, jsonString(pva::programTypeName(step.program->type)),
                     jsonString(step.program->name), orNull(step.timeKnown, step.to - step.from), ipus)
      << "\n";
}

} // namespace

// Writes the lines of the compilation, then those of runs and steps.
TimelineResult writeJsonLines(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  const NumberSet steps = selectedSteps(options.selection);
  const std::vector<std::size_t> chosen = selectedRuns(report, options.selection);
  writeCompilation(out, report, options);
  TimelineResult result;
  NamedPrograms programs(report);
  for (std::size_t i = 0; i < chosen.size() && !result.cut; ++i) {
    const pva::Run run = report.execution().runs()[chosen[i]];
    const pva::CycleTotals totals = run.totalCycles();
    out << fmt::format(
               R"({{"type":"run","run":{},"number":{},"name":{},"label":{},"program":{},"steps":{},"cycles":{}}})",
               chosen[i], orNull(run.numberKnown(), run.number()), jsonString(run.name()), jsonString(run.label()),
               run.program(), run.steps().size(), orNull(totals.totalKnown(), totals.total()))
        << "\n";
    for (const pva::MemorySample &sample : run.memorySamples())
      if (steps.contains(sample.program->_id()))
        out << fmt::format(R"({{"type":"memorySample","run":{},"position":{},"cycle":{},"program":{},"liveBytes":{}}})",
                           chosen[i], sample.position, sample.cycle, sample.program->_id(), sample.bytes)
            << "\n";
    walkRun(report, chosen[i], programs, [&](const WalkedStep &step) {
      if (!steps.contains(step.program->id))
        return true;
      if (options.maxEvents != 0 && result.events == options.maxEvents) {
        result.cut = true;
        result.cutRun = step.run;
        result.cutStep = step.index;
        out << fmt::format(R"({{"type":"cut","run":{},"step":{}}})", step.run, step.index) << "\n";
        return false;
      }
      writeStep(out, step);
      ++result.events;
      return true;
    });
  }
  return result;
}

} // namespace popscope
