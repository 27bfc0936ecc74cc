#include "report/answers/OverheadAnswer.hpp"

#include "report/answers/CycleSums.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/StepTimes.hpp"

#include <map>

namespace popscope {
namespace {

constexpr const char *kPass = "InsertInstrumentation"; // the compiler pass
constexpr std::size_t kUsualOverheadSteps = 8;

// Returns the requested counters. An IPU records exactly these.
std::string whatIsCounted(const pva::InstrumentationSettings &settings) {
  using Level = pva::ComputeInstrumentationLevel;
  std::string text;
  switch (settings.compute()) {
  case Level::Vertex: text = "compute by vertex"; break;
  case Level::Tile: text = "compute by tile"; break;
  case Level::Ipu: text = "compute by IPU"; break;
  case Level::Device: text = "compute of the device"; break;
  case Level::Off: text = "no compute"; break;
  case Level::Unknown: text = "unknown compute"; break;
  }
  const bool external = settings.externalExchange() == pva::ExternalExchangeInstrumentationLevel::Tile;
  return text + (external ? ", external exchange" : ", no external exchange") +
         (settings.controlFlow() ? ", control flow" : ", no control flow");
}

/// Returns whether the counter of one tile measures the slowest tile. This measurement needs a sync of the tiles.
bool syncsAfterCompute(const pva::InstrumentationSettings &settings) {
  return settings.compute() == pva::ComputeInstrumentationLevel::Ipu ||
         settings.compute() == pva::ComputeInstrumentationLevel::Device;
}

struct Memory {
  std::uint64_t results = 0, tiles = 0, code = 0;
};

Memory memoryOf(const Request &request, std::uint64_t code) {
  Memory memory;
  memory.code = code;
  const auto tiles = request.report.compilation().tiles();
  for (const std::size_t tile : selectedTiles(request.report, request.selection)) {
    const std::uint64_t bytes = tiles[tile].memory().category().instrumentationResults().total();
    memory.results += bytes;
    memory.tiles += bytes == 0 ? 0 : 1;
  }
  return memory;
}

struct StepCost {
  const StepProgramInfo *program = nullptr;
  std::uint64_t executions = 0, eachTime = 0; // in tile cycles
};

/// Returns the cost of reading counters in the steps of --steps and --name, on the tiles of --tiles and --ipu, by id. A
/// step reads the same counters each time.
std::map<std::size_t, StepCost> costsOfSteps(const Request &request, StepPrograms &programs, MovedNames &names) {
  std::map<std::size_t, StepCost> costs;
  const NumberSet steps = selectedSteps(request.selection);
  const auto tiles = selectedTiles(request.report, request.selection);
  const auto runs = request.report.execution().runs();
  for (const std::size_t run : summedRuns(request.report, request.selection))
    for (const pva::ExecutionStep &step : runs[run].steps()) {
      const auto program = step.program();
      const auto [at, isNew] = costs.try_emplace(program->_id());
      StepCost &cost = at->second;
      ++cost.executions;
      if (!isNew)
        continue;
      cost.program = &programs.of(*program);
      if (!steps.contains(at->first) || !names.matches(request.selection.name, *cost.program))
        continue;
      const pva::Values cycles = program->counterCyclesByTile();
      for (const std::size_t tile : tiles)
        cost.eachTime += tile < cycles.size() ? cycles[tile] : 0;
    }
  return costs;
}

/// Adds the table of steps. Its sum is over the selected steps; reads of control flow belong to no step.
void addSteps(const Request &request, const CycleSums &totals, std::uint64_t all, Rows &rows) {
  StepPrograms programs;
  MovedNames names(request.report);
  Ranking ranking({"steps",
                   "Steps after which reading took most",
                   {{"step", "Step", Unit::Id},
                    {"program", "Program"},
                    {"executions", "Executions"},
                    {"eachTime", "Each time", Unit::TileCycles},
                    {"tileCycles", "Tile cycles", Unit::TileCycles},
                    {"share", "Of all", Unit::Percent}}});
  std::uint64_t sum = 0;
  for (const auto &[id, cost] : costsOfSteps(request, programs, names)) {
    const std::uint64_t cycles = cost.eachTime * cost.executions;
    sum += cycles;
    if (cycles != 0)
      ranking.add(cycles, {std::uint64_t(id), names.titleOf(*cost.program), cost.executions, cost.eachTime, cycles,
                           Share{cycles, all}});
  }
  const Selection &s = request.selection;
  const bool everything = s.everyTile() && s.steps.empty() && s.name.empty();
  if (everything && sum == 0 && totals.counterReads != 0) {
    rows.notes.emplace_back("the profile does not contain the steps after which counters are read");
    return;
  }
  rows.fact("tileCyclesOfSteps", sum, Unit::TileCycles);
  rows.lines.emplace_back(everything ? "After steps of the program: {tileCyclesOfSteps}."
                                     : "After the steps, and on the tiles, that were chosen: {tileCyclesOfSteps}.");
  if (everything && totals.counterReads > sum) {
    rows.fact("tileCyclesOfBlocks", totals.counterReads - sum, Unit::TileCycles);
    rows.lines.emplace_back("For the records of blocks: {tileCyclesOfBlocks}.");
  }
  rows.tables.push_back(ranking.take(s.countOr(kUsualOverheadSteps)));
}

} // namespace

// Collects the memory of results and control code, and the tile cycles of reading counters, in total and by step.
Rows collectOverheadAnswer(const Request &request) {
  const pva::Report &report = request.report;
  Rows rows("overhead");
  bool instrumented = false;
  std::uint64_t code = 0;
  for (const auto &pass : report.compilation().optimizations())
    if (pass.name == kPass) {
      instrumented = true;
      code += pass.after - pass.before;
    }
  rows.fact("instrumented", instrumented);
  if (!instrumented) {
    rows.lines.emplace_back("Instrumentation: none; it cost nothing.");
    suggest(rows, request, "info");
    rows.next.emplace_back("popscope options --name '*instrument*'");
    return rows;
  }
  const Memory memory = memoryOf(request, code);
  const bool everyTile = request.selection.everyTile();
  const CycleSums totals = totalsOfRuns(report, summedRuns(report, request.selection));
  const std::uint64_t runs = totals.runs;
  suggest(rows, request, "top", "--of tiles");
  suggest(rows, request, "loss");
  rows.fact("what", whatIsCounted(report.instrumentationSettings()));
  rows.fact("tiles", memory.tiles, Unit::Tiles);
  rows.fact("runs", runs);
  rows.lines.emplace_back("Instrumentation: {what}.");
  rows.lines.emplace_back("Results lie on {tiles}; control code is the additional code for the counters.");
  const std::size_t most = request.selection.countOr(~std::size_t(0));
  Ranking bytes({"memory", "Memory that it took", {{"what", "What"}, {"bytes", "Bytes", Unit::Bytes}}});
  bytes.add(memory.results, {std::string("results"), memory.results});
  if (everyTile)
    bytes.add(memory.code, {std::string("control code"), memory.code});
  else
    rows.notes.emplace_back("results are those of the chosen tiles; control code and the sums of time are known only "
                            "for all tiles together");
  rows.tables.push_back(bytes.take(most));
  if (syncsAfterCompute(report.instrumentationSettings()))
    rows.notes.emplace_back("at this level a device also syncs after each compute set; the model has the code of this "
                            "sync, but not its cycles, so a run on a device takes longer");
  if (report.execution().runs().empty()) {
    rows.lines.emplace_back("No run was recorded: the cost of reading the counters is not known.");
    return rows;
  }
  const std::uint64_t all =
      totals.cyclesKnown ? totals.cycles * report.compilation().target().tilesPerReplica() : 0; // the sums are over the
                                                                                                // same tiles
  rows.fact("tileCycles", knownOr(totals.lengthKnown(), all), Unit::TileCycles);
  rows.lines.emplace_back(totals.known() ? std::string("Of {tileCycles} in {runs} recorded ") +
                                               (runs == 1 ? "run" : "runs") + ", reading the counters took:"
                                         : "No recorded run ended, so the time of reading the counters in whole runs "
                                           "is unknown.");
  noteCutRuns(report, request.selection, rows);
  Ranking time(
      {"time",
       "Time that it took",
       {{"what", "What"}, {"tileCycles", "Tile cycles", Unit::TileCycles}, {"share", "Of all", Unit::Percent}}});
  const auto add = [&](const char *what, std::uint64_t cycles) {
    time.add(cycles, {std::string(what), knownOr(totals.known(), cycles), shareOr(totals.known(), cycles, all)});
  };
  add("counters of compute, external exchange and blocks", totals.counterReads);
  add("control flow", totals.controlFlowReads);
  rows.tables.push_back(time.take(most));
  addSteps(request, totals, all, rows);
  return rows;
}

} // namespace popscope
