#include "report/export/CsvMemory.hpp"

#include "base/CsvField.hpp"
#include "report/export/LiveByCategory.hpp"

#include <fmt/format.h>
#include <ostream>

namespace popscope {
namespace {

/// Returns bytes in units of 1,024 bytes, with three decimals.
std::string kilobytes(std::uint64_t bytes) {
  return fmt::format("{}.{:03}", bytes / 1024, (bytes % 1024 * 1000 + 512) / 1024 % 1000);
}

/// Returns the number of decimal digits.
std::uint64_t digits(std::uint64_t number) {
  std::uint64_t count = 1;
  for (; number >= 10; number /= 10)
    ++count;
  return count;
}

} // namespace

std::uint64_t sizeOfMemoryRecord(const pva::Report &report) {
  constexpr std::uint64_t kSeparators = 6, kDecimals = 4; // five commas and the line end; ".123"
  const LiveByCategory live(report);
  std::uint64_t size = 0;
  const auto row = [&](const std::string &name, std::size_t step, std::uint64_t bytes) {
    size += csvText(name).size() + digits(step) + digits(bytes / 1024) + kDecimals + digits(live.programOf(step)) +
            digits(bytes) + kSeparators;
  };
  for (std::size_t step = 0; step < live.steps(); ++step) {
    row("always live", step, live.alwaysLive());
    for (std::size_t c = 0; c < live.categories().size(); ++c)
      if (const std::uint64_t bytes = live.bytes(step, c); bytes != 0)
        row(live.categories()[c], step, bytes);
  }
  return size;
}

void writeMemoryRecord(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  const LiveByCategory live(report);
  for (std::size_t step = 0; step < live.steps(); ++step) {
    const std::size_t program = live.programOf(step);
    out << fmt::format("always live,{},{},,{},{}\n", step, kilobytes(live.alwaysLive()), program, live.alwaysLive());
    for (std::size_t c = 0; c < live.categories().size(); ++c)
      if (const std::uint64_t bytes = live.bytes(step, c); bytes != 0)
        out << fmt::format("{},{},{},,{},{}\n", csvText(live.categories()[c]), step, kilobytes(bytes), program, bytes);
  }
}

void writeMemoryOfIpus(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  const std::uint64_t ipus = report.compilation().target().ipusPerReplica();
  std::size_t step = 0;
  for (const auto &point : report.compilation().livenessProgramSteps()) {
    const std::size_t program = point.program()->_id();
    for (std::uint64_t ipu = 0; ipu < ipus; ++ipu) {
      const std::uint64_t bytes = point.notAlwaysLiveMemoryForIpu(ipu).bytes();
      out << fmt::format("{},{},{},{},{}\n", ipu, step, program, kilobytes(bytes), bytes);
    }
    ++step;
  }
}

void writeMemorySamples(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const double clock = report.compilation().target().clockFrequency();
  const auto runs = report.execution().runs();
  const NumberSet steps = selectedSteps(options.timeline.selection);
  for (const std::size_t run : selectedRuns(report, options.timeline.selection))
    for (const pva::MemorySample &sample : runs[run].memorySamples())
      if (steps.contains(sample.program->_id()))
        out << fmt::format("{},{},{},{},{},{},{}\n", run, sample.position, sample.cycle,
                           clock > 0 ? fmt::format("{:.3f}", static_cast<double>(sample.cycle) * 1e6 / clock) : "",
                           sample.program->_id(), kilobytes(sample.bytes), sample.bytes);
}

void writeToolUsage(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  const auto phases = report.popscope().compilePhases();
  for (const pva::CompilePhase &p : phases)
    out << fmt::format("{},{},{:.3f},{:.3f},{:.3f},{},{},{}\n", csvText(p.name),
                       p.isPart ? csvText(phases[p.parent].name) : "", p.startMicroseconds, p.wallMicroseconds,
                       p.cpuMicroseconds, p.memoryKnown ? kilobytes(p.bytesBefore) : "",
                       p.memoryKnown ? kilobytes(p.bytesAfter) : "", p.memoryKnown ? kilobytes(p.peakBytes) : "");
}

void writeMemoryByCategory(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const auto names = pva::storageCategoryNames();
  const auto tiles = report.compilation().tiles();
  const std::uint64_t tilesPerIpu = std::max<std::uint64_t>(1, report.compilation().target().tilesPerIpu());
  for (const std::size_t tile : selectedTiles(report, options.timeline.selection)) {
    const pva::Categories categories = tiles[tile].memory().category();
    for (std::size_t c = 0; c < names.size(); ++c) {
      const pva::Category category = categories.byIndex(c);
      const std::uint64_t shared = category.nonInterleaved().overlapped() + category.interleaved().overlapped() +
                                   category.overflowed().overlapped();
      if (category.total() != 0)
        out << fmt::format("{},{},{},{},{},{}\n", names[c], tile / tilesPerIpu, tile, kilobytes(category.total()),
                           category.total(), shared);
    }
  }
}

void writeVariables(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  constexpr std::uint64_t kToTheEnd = 4294967295U;
  std::uint64_t total = 0;
  const std::size_t steps = report.compilation().livenessProgramSteps().size();
  for (const auto &variable : report.compilation().variables()) {
    const std::string name = csvText(variable.name()),
                      rest = fmt::format("{},{},{},{}", kilobytes(variable.size()), variable.size(),
                                         variable.category(), variable.alwaysLive() ? 1 : 0);
    total += variable.size();
    bool lives = false;
    for (const auto &span : variable.liveSteps()) {
      out << fmt::format("{},,0,{},{},{}\n", name, span.start(), span.end() == steps ? kToTheEnd : span.end() - 1,
                         rest);
      lives = true;
    }
    if (!lives)
      out << fmt::format("{},,0,,,{}\n", name, rest);
  }
  out << fmt::format("TOTAL,,0,0,{},{},{},,\n", kToTheEnd, kilobytes(total), total);
}

void writePasses(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  for (const pva::Optimization &pass : report.compilation().optimizations())
    out << fmt::format("{},{},{},{}\n", csvText(pass.name), csvText(pass.unit), pass.before, pass.after);
}

} // namespace popscope
