#include "report/answers/Numbers.hpp"

#include "report/answers/CycleSums.hpp"
#include "report/answers/LiveTable.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <set>

namespace popscope {
namespace {

std::uint64_t sumOn(const pva::Values &byTile, const std::vector<std::size_t> &tiles) {
  std::uint64_t sum = 0;
  for (const std::size_t tile : tiles)
    sum += tile < byTile.size() ? byTile[tile] : 0;
  return sum;
}

void add(Numbers &numbers, const std::string &name, Unit unit, std::uint64_t value) {
  Number &number = numbers[name];
  number.unit = unit;
  const auto *before = std::get_if<std::uint64_t>(&number.value);
  number.value = (before == nullptr ? 0 : *before) + value;
}

/// Adds bytes of the selected tiles that do not depend on a step.
void addTileBytes(const pva::Report &report, const std::vector<std::size_t> &chosen, bool everyTile, Numbers &numbers) {
  const auto names = pva::storageCategoryNames();
  const auto tiles = report.compilation().tiles();
  std::vector<std::uint64_t> byCategory(names.size());
  std::uint64_t all = 0, most = 0;
  std::vector<bool> mask(tileCount(report));
  for (const std::size_t tile : chosen) {
    mask[tile] = true;
    const pva::TileMemory m = tiles[tile].memory();
    const std::uint64_t used = m.total().excludingGaps();
    all += used;
    most = std::max(most, used);
    const pva::Categories categories = m.category();
    for (std::size_t i = 0; i < names.size(); ++i)
      byCategory[i] += categories.byIndex(i).total();
  }
  add(numbers, "bytes.allTiles", Unit::Bytes, all);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (byCategory[i] != 0)
      add(numbers, "category." + names[i], Unit::Bytes, byCategory[i]);
  add(numbers, "bytes.fullestTile", Unit::Bytes, most);
  numbers["bytes.headroom"] = {Unit::Bytes, static_cast<std::int64_t>(report.compilation().target().bytesPerTile()) -
                                                static_cast<std::int64_t>(most)};
  std::uint64_t over = 0;
  for (const std::uint32_t tile : report.popscope().tilesOutOfMemory())
    over += tile < mask.size() && mask[tile] ? 1 : 0;
  add(numbers, "tilesOutOfMemory", Unit::Tiles, over);
  for (const auto &v : report.compilation().variables())
    if (const std::string category = v.category(); category == "variable" || category == "constant") {
      const std::uint64_t bytes = everyTile ? v.size() : sumOn(v.bytesByTile(), chosen);
      if (everyTile || bytes != 0)
        add(numbers, "variable." + nameOr(v.name()) + ".bytes", Unit::Bytes, bytes);
    }
  if (everyTile)
    for (const auto &type : report.compilation().vertexTypes())
      add(numbers, "vertexType." + type.name() + ".bytes", Unit::Bytes, type.memoryBytes());
}

/// Adds live bytes and code of exchanges, on the selected tiles at the selected steps.
void addStepBytes(const pva::Report &report, const std::vector<std::size_t> &chosen, const Selection &selection,
                  MovedNames &moved, Numbers &numbers) {
  const bool everyTile = selection.everyTile();
  const NumberSet steps = selectedSteps(selection);
  if (everyTile && steps.everything()) {
    add(numbers, "bytes.live", Unit::Bytes, report.popscope().maxLiveBytes());
    add(numbers, "bytes.alwaysLive", Unit::Bytes, report.popscope().alwaysLiveBytes());
  } else if (!report.compilation().livenessProgramSteps().empty()) {
    const LiveTable live(report, selection);
    Selection onlySteps;
    onlySteps.steps = selection.steps;
    add(numbers, "bytes.live", Unit::Bytes,
        live.alwaysLiveBytes() + live.bytes()[live.worstOf(StepChoice(report, onlySteps))]);
    add(numbers, "bytes.alwaysLive", Unit::Bytes, live.alwaysLiveBytes());
  }
  StepPrograms programs;
  for (const auto &program : allPrograms(report))
    if (const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(program.get());
        exchange != nullptr && steps.contains(program->_id())) {
      const pva::Values byTile = exchange->codeBytesByTile();
      if (const std::uint64_t code = everyTile ? sumOf(byTile) : sumOn(byTile, chosen); code != 0) {
        add(numbers, "step." + moved.titleOf(programs.of(*program)) + ".code", Unit::Bytes, code);
        add(numbers, "bytes.exchangeCode", Unit::Bytes, code);
      }
    }
}

void addGraph(const pva::Report &report, Numbers &numbers) {
  const pva::Graph graph = report.compilation().graph();
  add(numbers, "vertices", Unit::Vertices, graph.numVertices());
  add(numbers, "edges", Unit::None, graph.numEdges());
  add(numbers, "variables", Unit::None, graph.numVars());
  add(numbers, "computeSets", Unit::None, graph.numComputeSets());
}

const char *causeName(StepCause cause) {
  switch (cause) {
  case StepCause::Compute: return "compute";
  case StepCause::Exchange: return "exchange";
  case StepCause::GlobalExchange: return "betweenIpus";
  case StepCause::HostExchange: return "host";
  case StepCause::HostWait:
  case StepCause::Barrier:
  case StepCause::Control: break;
  }
  return nullptr;
}

/// Returns the metric that contains the program's part of the length of the runs. The metrics add up to this length.
std::string lengthName(const StepProgramInfo &program, MovedNames &moved) {
  switch (program.kind) {
  case StepCause::HostWait: return "hostWaits.cycles";
  case StepCause::Barrier: return "barriers.cycles";
  case StepCause::Control: return "controlFlow.cycles";
  case StepCause::Compute:
  case StepCause::Exchange:
  case StepCause::GlobalExchange:
  case StepCause::HostExchange: break;
  }
  return program.computeSet >= 0 ? "computeSet." + moved.nameOf(program) + ".cycles"
                                 : "step." + moved.titleOf(program) + ".cycles";
}

/// Adds the totals of the runs if all tiles and steps are selected. Otherwise, adds sums over the steps. `ended`:
/// whether a run ended; if no run ended, the sums are unknown.
void addTotals(const pva::Report &report, const Selection &selection, const StepTimes &times, const NumberSet &steps,
               bool ended, Numbers &numbers) {
  const auto cause = [&](const char *name, bool known, std::uint64_t cycles) {
    numbers[std::string("cycles.") + name] = {Unit::TileCycles, knownOr(known, cycles)};
  };
  if (selection.everyTile() && steps.everything()) {
    const CycleSums t = totalsOfRuns(report, times.runs);
    numbers["cycles"] = {Unit::Cycles, knownOr(t.lengthKnown(), t.cycles)};
    cause("compute", t.known() && t.computeKnown, t.compute);
    cause("threads", t.known() && t.computeKnown && t.threadsKnown, t.threads);
    cause("exchange", t.known(), t.exchange);
    cause("betweenIpus", t.known() && t.externalKnown, t.global);
    cause("host", t.known() && t.externalKnown, t.host);
    cause("sync", t.known() && t.syncKnown(), t.sync);
    cause("counters", t.known(), t.counters);
    return;
  }
  std::map<const char *, std::pair<bool, std::uint64_t>> sums;
  bool timeKnown = ended;
  std::uint64_t part = 0;
  for (const StepTime &step : times.steps) {
    if (!steps.contains(step.program->id))
      continue;
    part += step.part;
    timeKnown = timeKnown && step.timeKnown;
    if (const char *name = causeName(step.program->kind); name != nullptr) {
      auto &sum = sums.try_emplace(name, ended, 0).first->second;
      sum.first = sum.first && step.known;
      sum.second += selection.everyTile() ? step.busy : step.chosenWork;
    }
  }
  if (selection.everyTile()) // the length of a run belongs to no tile
    numbers["cycles"] = {Unit::Cycles, knownOr(timeKnown, part)};
  for (const auto &[name, sum] : sums)
    cause(name, sum.first, sum.second);
}

// Adds the number of runs that ended, and sums over these runs: the totals by cause, and the parts of the runs' length.
// There are parts for compute sets, other steps that move data, barriers, waits for the host, control flow, and the
// rest. If no run ended, the sums are unknown. First adds up the cycles by program, so that the name of each program is
// made only once.
void addCycles(const pva::Report &report, const Selection &selection, MovedNames &moved, Numbers &numbers) {
  const bool everyTile = selection.everyTile();
  Selection runs = selection;
  runs.ipu.reset();
  StepTimes times = readStepTimes(report, runs);
  const std::uint64_t ended = totalsOfRuns(report, times.runs).runs;
  add(numbers, "runs", Unit::None, ended);
  if (times.runs.empty())
    return;
  if (!everyTile)
    readChosenWork(report, selection, times);
  const NumberSet steps = selectedSteps(selection);
  addTotals(report, selection, times, steps, ended != 0, numbers);
  struct StepSum {
    const StepProgramInfo *program = nullptr;
    std::uint64_t cycles = 0;
    bool known = true;
  };
  std::map<std::size_t, StepSum> sums; // by program, so that each name is made once
  for (const StepTime &step : times.steps) {
    StepSum &sum = sums[step.program->id];
    sum.program = step.program;
    sum.known = sum.known && (everyTile ? step.timeKnown : step.known);
    sum.cycles += everyTile ? step.part : step.chosenMost; // the part of the run, because spans of steps overlap
  }
  std::set<std::string> unknown;
  std::uint64_t parts = 0;
  bool known = ended != 0;
  if (everyTile) // a single tile has no length, so only its work counts
    for (const char *name : {"hostWaits.cycles", "barriers.cycles", "controlFlow.cycles"}) {
      add(numbers, name, Unit::Cycles, 0);
      if (ended == 0)
        unknown.insert(name);
    }
  for (const auto &[id, sum] : sums) {
    if (!steps.contains(id) || (!everyTile && !isWork(sum.program->kind)))
      continue;
    parts += sum.cycles;
    known = known && sum.known;
    const std::string name = lengthName(*sum.program, moved);
    add(numbers, name, Unit::Cycles, sum.cycles);
    if (!sum.known || ended == 0)
      unknown.insert(name);
  }
  for (const std::string &name : unknown) // one unknown execution makes the sum unknown
    numbers[name].value = Unknown();
  if (everyTile && steps.everything())
    numbers["rest.cycles"] = {Unit::Cycles,
                              knownOr(known && times.lengthKnown, times.cycles - std::min(times.cycles, parts))};
}

} // namespace

Numbers numbersOf(const pva::Report &report, const Selection &selection) {
  Numbers numbers;
  const std::vector<std::size_t> tiles = selectedTiles(report, selection);
  const bool everyStep = selectedSteps(selection).everything();
  MovedNames moved(report);
  if (selection.everyTile() && everyStep)
    addGraph(report, numbers);
  if (!tiles.empty()) {
    if (everyStep)
      addTileBytes(report, tiles, selection.everyTile(), numbers);
    addStepBytes(report, tiles, selection, moved, numbers);
  }
  addCycles(report, selection, moved, numbers);
  return numbers;
}

void noteSelection(const Selection &selection, Rows &rows) {
  if (!selection.everyTile())
    rows.notes.emplace_back("for the selected tiles: cycles of a step are those of the slowest tile, cycles by cause "
                            "are the work of these tiles; metrics that are not known per tile are left out");
  if (!selection.steps.empty())
    rows.notes.emplace_back("for the selected steps: cycles are their part of the runs' length, cycles by cause are "
                            "the tiles' work in them; metrics that are not known per step are left out");
  if (!selection.runs.empty())
    rows.notes.emplace_back("cycles are those of the runs chosen; bytes are those of the whole program");
}

std::optional<std::int64_t> valueOf(const Number &number) {
  if (const auto *value = std::get_if<std::uint64_t>(&number.value))
    return static_cast<std::int64_t>(*value);
  if (const auto *value = std::get_if<std::int64_t>(&number.value))
    return *value;
  return std::nullopt;
}

} // namespace popscope
