#include "report/answers/InfoAnswer.hpp"

#include "base/JsonText.hpp"
#include "base/ShownText.hpp"
#include "base/Version.hpp"
#include "report/answers/CycleSums.hpp"
#include "report/answers/FaultReport.hpp"
#include "report/answers/FlopColumns.hpp"
#include "report/answers/LiveTable.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/StepTimes.hpp"
#include "report/summary/WhyNoRun.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace popscope {
namespace {

constexpr std::size_t kShownCategories = 5, kShownSets = 3;

std::string deviceName(pva::Target::Type type) {
  switch (type) {
  case pva::Target::Type::Ipu: return "IPU (simulated)";
  case pva::Target::Type::IpuModel: return "IPU Model";
  case pva::Target::Type::Cpu: return "CPU";
  case pva::Target::Type::Unknown: break;
  }
  return "unknown device";
}

/// Returns the name of the machine in its machine file, or "" if the profile does not contain the machine.
std::string machineName(const pva::Target &target) {
  const std::string machine = target.machine();
  const nlohmann::json fields = machine.empty() ? nlohmann::json() : jsonOf(machine);
  const auto name = fields.is_object() ? fields.find("name") : fields.end();
  return name != fields.end() && name->is_string() ? name->get<std::string>() : "";
}

void addTarget(const pva::Report &report, Rows &rows) {
  const pva::Target target = report.compilation().target();
  rows.fact("writer", versionForPeople(report.poplarVersion().string()));
  const std::string program = report.popscope().program();
  rows.fact("program", program.empty() ? Cell(Unknown()) : Cell(program));
  rows.fact("format", report.version().majorVer());
  const std::string ending = report.popscope().ending();
  rows.fact("complete", report.popscope().complete());
  rows.fact("ending", ending.empty() ? Cell(Unknown()) : Cell(ending));
  rows.fact("cycleProvenance", report.popscope().cycleProvenance());
  rows.fact("device", deviceName(target.type()));
  rows.fact("architecture", target.architectureName());
  const std::string machine = machineName(target);
  rows.fact("machine", machine.empty() ? Cell(Unknown()) : Cell(machine));
  rows.fact("ipus", target.numIPUs());
  rows.fact("replicas", target.numReplicas());
  rows.fact("tiles", target.numTiles(), Unit::Tiles);
  rows.fact("tileMemory", target.bytesPerTile(), Unit::Bytes);
  rows.fact("clockHertz", static_cast<std::uint64_t>(std::llround(target.clockFrequency())));
  const pva::Graph graph = report.compilation().graph();
  rows.fact("vertices", graph.numVertices(), Unit::Vertices);
  rows.fact("edges", graph.numEdges());
  rows.fact("variables", graph.numVars());
  rows.fact("computeSets", graph.numComputeSets());
  rows.lines.emplace_back(
      report.popscope().complete() ? "Profile" + std::string(program.empty() ? "" : " of {program},") +
                                         " written by {writer}, format {format}, complete."
      : ending.empty() ? "Not complete: the engine still exists, and more runs may follow. Written by {writer}, format "
                         "{format}."
                       : "!Not complete: it ends {ending}. Written by {writer}, format {format}.");
  rows.lines.emplace_back(
      "{device} {architecture}" +
      std::string(machine.empty() || machine == target.architectureName() ? "" : " (machine \"{machine}\")") +
      ": {tiles} of {tileMemory}" + std::string(target.numIPUs() == 1 ? "" : ", {ipus} IPUs") +
      (target.numReplicas() == 1 ? "" : ", {replicas} replicas") +
      ". {vertices}, {edges:edge}, {computeSets:compute set}.");
}

/// Returns the number of addresses that each category occupies. Addresses that several categories occupy at different
/// times have a separate row, so that the rows add up to the tile's use. The allocations of a category may exceed its
/// row, because allocations can share addresses.
Table categoriesOf(const pva::Report &report, std::size_t tile, std::size_t shown) {
  Ranking table({"fullestTile",
                 "What tile " + std::to_string(tile) + " holds, by category",
                 {{"category", "Category"},
                  {"occupied", "Occupied", Unit::Bytes},
                  {"share", "Share", Unit::Percent},
                  {"bytes", "Allocated", Unit::Bytes}}});
  const pva::TileMemory memory = report.compilation().tiles()[tile].memory();
  const std::vector<std::uint64_t> occupied = memory.occupiedByCategory();
  const std::uint64_t all = std::accumulate(occupied.begin(), occupied.end(), std::uint64_t(0));
  const auto names = pva::storageCategoryNames();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool none = names[i] == "multiple"; // no allocation has this category
    const std::uint64_t allocated = none ? 0 : memory.category().byIndex(i).total();
    if (occupied[i] != 0 || allocated != 0)
      table.add(occupied[i], {names[i], occupied[i], Share{occupied[i], all}, allocated});
  }
  return table.take(shown);
}

// Adds the facts of memory, within the selection: whether the program fits, the fullest or worst tile with its contents
// by category, and the use of all tiles.
void addMemory(const Request &request, std::size_t shown, Rows &rows) {
  const pva::Report &report = request.report;
  const std::vector<bool> chosen = tileMask(report, request.selection);
  auto order = fullestTiles(report);
  if (order.empty()) {
    rows.notes.emplace_back("the profile has no memory part");
    return;
  }
  order.erase(std::remove_if(order.begin(), order.end(), [&](std::size_t tile) { return !chosen[tile]; }), order.end());
  if (order.empty())
    throw AnswerError("--tiles and --ipu have no tile in common");
  const std::uint64_t memory = report.compilation().target().bytesPerTile();
  const pva::TileMemory fullest = report.compilation().tiles()[order[0]].memory();
  const std::uint64_t used = fullest.total().excludingGaps();
  std::vector<std::size_t> over;
  for (const std::uint32_t tile : report.popscope().tilesOutOfMemory())
    if (tile < chosen.size() && chosen[tile])
      over.push_back(tile);
  rows.fact("fits", over.empty());
  rows.fact("fullestTile", std::uint64_t(order[0]), Unit::Id);
  rows.fact("usedOnFullestTile", used, Unit::Bytes);
  rows.fact("headroom", static_cast<std::int64_t>(memory) - static_cast<std::int64_t>(used), Unit::Bytes);
  rows.fact("headroomShare", used > memory ? Cell(Unknown()) : Cell(Share{memory - used, memory}));
  rows.fact("tilesOutOfMemory", std::uint64_t(over.size()), Unit::Tiles);
  if (over.empty())
    rows.lines.emplace_back("Fits: the fullest tile is {fullestTile}, with {usedOnFullestTile} used and {headroom} "
                            "free ({headroomShare}).");
  else {
    rows.fact("worstTile", std::uint64_t(over[0]), Unit::Id);
    rows.fact("bytesPastTheEnd", bytesPastEnd(report, over[0]), Unit::Bytes);
    rows.lines.emplace_back("!Does not fit: {tilesOutOfMemory} out of memory; the worst is tile {worstTile}, with "
                            "{bytesPastTheEnd} past the end.");
  }
  std::uint64_t sum = 0;
  for (const std::size_t tile : order)
    sum += report.compilation().tiles()[tile].memory().total().excludingGaps();
  const bool everyTile = request.selection.everyTile();
  rows.fact("usedOnAllTiles", sum, Unit::Bytes);
  const std::uint64_t whole = everyTile ? report.compilation().target().memoryPerReplica() : memory * order.size();
  if (sum <= whole)
    rows.fact("usedShare", Share{sum, whole});
  else
    rows.fact("memoryOfTiles", whole, Unit::Bytes);
  rows.fact("tilesChosen", std::uint64_t(order.size()), Unit::Tiles);
  const bool replicated = report.compilation().target().numReplicas() > 1;
  const std::string share = sum <= whole ? ": {usedOnAllTiles} used ({usedShare})."
                                         : ": {usedOnAllTiles} used, more than their {memoryOfTiles}.";
  rows.lines.push_back((!everyTile   ? "The {tilesChosen} chosen"
                        : replicated ? "All tiles of one replica"
                                     : "All tiles") +
                       share);
  rows.tables.push_back(categoriesOf(report, over.empty() ? order[0] : over[0], shown));
}

/// Adds the peak on the selected tiles or at the selected steps.
void addChosenPeak(const Request &request, Rows &rows) {
  if (request.report.compilation().livenessProgramSteps().empty())
    return;
  const LiveTable live(request.report, request.selection);
  const std::size_t step = live.worstOf(StepChoice(request.report, request.selection));
  rows.fact("peakStep", std::uint64_t(live.programOf(step)), Unit::Id);
  rows.fact("peakProgram", live.titleOf(step));
  rows.fact("alwaysLive", live.alwaysLiveBytes(), Unit::Bytes);
  rows.fact("livePeak", live.bytes()[step] + live.alwaysLiveBytes(), Unit::Bytes);
  rows.lines.emplace_back(std::string(request.selection.everyStep() ? "Most" : "Of the chosen steps, most") +
                          " bytes are live at step {peakStep}, {peakProgram}: {livePeak} on " +
                          (request.selection.everyTile() ? "all" : "these") +
                          " tiles, {alwaysLive} of them at every step.");
}

void addPeak(const Request &request, Rows &rows) {
  if (!request.selection.everyTile() || !request.selection.everyStep())
    return addChosenPeak(request, rows);
  const pva::Report &report = request.report;
  std::uint64_t most = 0;
  std::shared_ptr<pva::Program> at;
  for (const auto &step : report.compilation().livenessProgramSteps())
    if (const std::uint64_t bytes = step.notAlwaysLiveMemory().bytes(); !at || bytes > most) {
      most = bytes;
      at = step.program();
    }
  if (!at)
    return;
  const std::string name = at->name();
  rows.fact("peakStep", std::uint64_t(at->_id()), Unit::Id);
  rows.fact("peakProgram", pva::programTypeName(at->type()) + (name.empty() ? "" : ": " + name));
  rows.fact("alwaysLive", report.popscope().alwaysLiveBytes(), Unit::Bytes);
  rows.fact("livePeak", most + report.popscope().alwaysLiveBytes(), Unit::Bytes);
  rows.lines.emplace_back("Most bytes are live at step {peakStep}, {peakProgram}: {livePeak} on all tiles, "
                          "{alwaysLive} of them at every step.");
}

void addCauses(const CycleSums &totals, std::uint64_t tiles, Rows &rows) {
  const std::uint64_t whole = totals.lengthKnown() ? tiles * totals.cycles : 0; // 0: shares are unknown
  Table table{"causes",
              "Where tiles' time went",
              {{"cause", "Cause"}, {"tileCycles", "Tile cycles", Unit::TileCycles}, {"share", "Share", Unit::Percent}}};
  const auto add = [&](const char *cause, bool known, std::uint64_t cycles) {
    if (!known || cycles != 0)
      table.rows.push_back(
          {cause, known ? Cell(cycles) : Cell(Unknown()), known ? Cell(Share{cycles, whole}) : Cell(Unknown())});
  };
  add("compute", totals.computeKnown, totals.compute);
  add("exchange", true, totals.exchange);
  add("exchange between IPUs", totals.externalKnown, totals.global);
  add("host", totals.externalKnown, totals.host);
  add("sync and waiting", totals.syncKnown(), totals.sync);
  add("counters", true, totals.counters);
  rows.fact("tileBalance", shareOr(totals.computeKnown, totals.compute, whole));
  rows.fact("threadBalance", shareOr(totals.threadsKnown && totals.computeKnown, totals.threads, totals.compute));
  rows.tables.push_back(std::move(table));
}

/// Adds the cycles in which the device waits for the host, as in the table of lengths of `popscope loss`. Adds nothing
/// if no step waits for the host. `ended`: some run ended; otherwise, the cycles are unknown.
void addHostWait(const StepTimes &times, bool ended, Rows &rows) {
  std::uint64_t cycles = 0;
  bool some = false, known = ended;
  for (const StepTime &step : times.steps)
    if (step.program->kind == StepCause::HostWait) {
      some = true;
      known = known && step.timeKnown;
      cycles += step.part;
    }
  if (!some)
    return;
  rows.fact("hostWait", knownOr(known, cycles), Unit::Cycles);
  rows.fact("hostWaitShare", shareOr(known, cycles, times.cycles));
  if (known)
    rows.lines.emplace_back("In {hostWait} ({hostWaitShare}), the device waits for the host.");
}

// Adds the compute sets that take most of the runs, and the floating-point operations against the machine's peak.
// `ended`: some run ended; otherwise, the time in which the operations were done is unknown.
void addSets(const Request &request, const StepTimes &times, bool ended, std::size_t shown, Rows &rows) {
  struct Sum {
    std::uint64_t cycles = 0, executions = 0;
    const StepProgramInfo *program = nullptr;
    bool known = true;
    FlopSum operations{};
  };
  const FlopColumns flops(request);
  const NumberSet chosen = selectedSteps(request.selection);
  MovedNames moved(request.report);
  std::map<std::int64_t, Sum> sums;
  for (const StepTime &step : times.steps)
    if (step.program->computeSet >= 0 && chosen.contains(step.program->id) &&
        moved.matches(request.selection.name, *step.program)) {
      Sum &sum = sums[step.program->computeSet];
      sum.program = step.program;
      sum.cycles += step.part;
      sum.known = sum.known && step.timeKnown;
      ++sum.executions;
    }
  std::vector<Sum> sorted;
  std::uint64_t operations = 0;
  for (auto &entry : sums) {
    entry.second.operations.add(flops.ofSet(entry.first), entry.second.executions);
    operations += entry.second.operations.operations;
    sorted.push_back(std::move(entry.second));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Sum &a, const Sum &b) { return a.cycles > b.cycles; });
  Table table{"slowestComputeSets",
              "Slowest compute sets",
              {{"name", "Name"},
               {"executions", "Executions"},
               {"cycles", "Cycles", Unit::Cycles},
               {"share", "Of all", Unit::Percent}}};
  flops.addSumTo(table);
  for (const Sum &sum : sorted)
    if (table.rows.size() < shown) {
      std::vector<Cell> row = {moved.nameOf(*sum.program), sum.executions, knownOr(sum.known, sum.cycles),
                               shareOr(sum.known, sum.cycles, times.cycles)};
      flops.addSumTo(row, sum.operations);
      table.rows.push_back(std::move(row));
    } else
      ++table.more;
  rows.tables.push_back(std::move(table));
  if (flops.empty())
    return;
  const std::uint64_t tiles = request.report.compilation().target().tilesPerReplica();
  const std::uint64_t cycles = ended ? times.cycles : 0; // 0: rates and shares are unknown
  rows.fact("operations", operations, Unit::Operations);
  rows.fact("operationsPerCycle", Ratio{operations, cycles}, Unit::OperationsPerCycle);
  const double clock = request.report.compilation().target().clockFrequency();
  const double perSecond = cycles == 0 ? 0 : static_cast<double>(operations) * clock / static_cast<double>(cycles);
  rows.fact("operationsPerSecond", knownOr(perSecond > 0 && perSecond < 1e18, static_cast<std::uint64_t>(perSecond)),
            Unit::Operations);
  const bool replicated = request.report.compilation().target().numReplicas() > 1;
  rows.fact("ofFloatPeak", flops.shareOfPeak(flops.floatPeak(), operations, cycles, tiles));
  rows.fact("ofHalfPeak", flops.shareOfPeak(flops.halfPeak(), operations, cycles, tiles));
  pva::Flops whole; // operations of the compute sets that ran
  for (const auto &entry : sums)
    whole += flops.ofSet(entry.first);
  rows.fact("verticesWithOperations", Share{whole.estimatedVertices + whole.countedVertices, whole.vertices});
  rows.fact("verticesCounted", Share{whole.countedVertices, whole.vertices});
  const bool all = whole.estimatedVertices + whole.countedVertices == whole.vertices;
  const char *origin =
      !all ? "Of the vertices that ran, {verticesWithOperations} have known operations ({verticesCounted} counted; the "
             "rest are estimated by the program, or copies of the runtime, which have none)."
      : whole.estimatedVertices == 0 ? "All of them are counted."
      : whole.countedVertices == 0   ? "All of them are estimates of the program."
                                   : "They are counted for {verticesCounted} of the vertices that ran; for the others "
                                     "they are estimates of the program, or none (copies of the runtime).";
  const std::string rates = ": {operationsPerCycle}, {operationsPerSecond} per second, {ofFloatPeak} of the " +
                            std::string(replicated ? "peak of one replica's tiles" : "machine's peak") +
                            " with floats, {ofHalfPeak} with halves";
  rows.lines.emplace_back(std::string(all ? "" : "At least ") + "{operations:floating-point operation}" +
                          (ended ? rates : "") + ". " + origin);
}

/// Adds a line if one of several runs takes most of their cycles, because the causes below the line then mainly
/// describe this run.
void addLongestRun(const Request &request, const std::vector<std::size_t> &chosen, const CycleSums &totals,
                   Rows &rows) {
  if (chosen.size() < 2)
    return;
  std::size_t longest = 0;
  std::uint64_t most = 0;
  const auto runs = request.report.execution().runs();
  for (const std::size_t run : chosen)
    if (const std::uint64_t cycles = runs[run].totalCycles().total(); cycles > most)
      most = cycles, longest = run;
  if (!totals.lengthKnown() || most == 0 || most < totals.cycles - totals.cycles / 4)
    return;
  rows.fact("longestRun", std::uint64_t(longest));
  rows.fact("longestRunShare", Share{most, totals.cycles});
  rows.lines.emplace_back("Run {longestRun} takes {longestRunShare} of these cycles; popscope runs lists the runs, and "
                          "--runs chooses among them.");
}

/// Returns whether the fact has a value, so that a sentence can use it.
bool isKnown(const Rows &rows, const std::string &key) {
  return std::any_of(rows.facts.begin(), rows.facts.end(),
                     [&](const Fact &fact) { return fact.key == key && cellText(fact.value) != cellText(Unknown()); });
}

// Adds the facts of the recorded runs: numbers of runs, cycles by cause, and the slowest compute sets. Without a
// recorded run, adds the reason instead.
void addExecution(const Request &request, Rows &rows) {
  const pva::ExecutionReport execution = request.report.execution();
  const auto runs = execution.runs();
  std::uint64_t open = 0, paused = 0;
  for (const auto &run : runs)
    open += run.complete() ? 0 : 1;
  for (const auto &span : execution.pausedSpans())
    paused += span.runs;
  rows.fact("recordedRuns", std::uint64_t(runs.size()));
  rows.fact("runsCutShort", open);
  rows.fact("runsNotRecorded", paused);
  if (runs.empty()) {
    rows.lines.emplace_back("No run was recorded.");
    const std::string why = whyNoRun(request.report);
    rows.fact("whyNoRun", why);
    rows.lines.emplace_back("{whyNoRun}");
    return;
  }
  const std::vector<std::size_t> chosen = selectedRuns(request.report, request.selection);
  const CycleSums totals = totalsOfRuns(request.report, chosen);
  const bool ended = totals.known();
  rows.fact("cycles", knownOr(totals.lengthKnown(), totals.cycles), Unit::Cycles);
  rows.fact("runsChosen", std::uint64_t(chosen.size()));
  addCauses(totals, request.report.compilation().target().tilesPerReplica(), rows);
  std::string line = std::string(chosen.size() == runs.size() ? "" : "{runsChosen} of ") +
                     "{recordedRuns:recorded run}" +
                     (ended ? ": {cycles}, {cycleProvenance}." : "; none ended, so no cycles are known.");
  if (ended && isKnown(rows, "tileBalance"))
    line +=
        " Tiles compute {tileBalance} of the time" +
        std::string(isKnown(rows, "threadBalance") ? ", with {threadBalance} of their workers' slots in use." : ".");
  rows.lines.push_back(line);
  addLongestRun(request, chosen, totals, rows);
  if (!request.selection.everyTile() || !request.selection.steps.empty())
    rows.notes.emplace_back(
        "the table of tiles' time covers all tiles and steps; for the chosen ones use popscope loss");
  rows.notes.emplace_back("cycles of a compute set are the part that it adds to the length of the runs");
  StepTimes times = readStepTimes(request.report, request.selection);
  addHostWait(times, ended, rows);
  addSets(request, times, ended, request.selection.countOr(kShownSets), rows);
  noteCutRuns(request.report, request.selection, rows);
  if (paused != 0)
    rows.notes.emplace_back(std::to_string(paused) + (paused == 1 ? " run was" : " runs were") +
                            " not recorded; popscope runs lists which");
}

void addInstrumentation(const Request &request, Rows &rows) {
  std::uint64_t bytes = 0;
  const auto tiles = request.report.compilation().tiles();
  for (const std::size_t tile : selectedTiles(request.report, request.selection))
    bytes += tiles[tile].memory().category().instrumentationResults().total();
  rows.fact("instrumentationBytes", bytes, Unit::Bytes);
  if (bytes == 0)
    return;
  const CycleSums totals = totalsOfRuns(request.report, summedRuns(request.report, request.selection));
  rows.fact("instrumentationTileCycles", knownOr(totals.known(), totals.counters), Unit::TileCycles);
  rows.lines.emplace_back("Instrumentation cost {instrumentationBytes} of results" +
                          std::string(!totals.known() ? "; no recorded run ended, so its time is unknown."
                                                      : " and {instrumentationTileCycles}; popscope overhead lists it "
                                                        "by step."));
}

void addWarnings(const pva::Report &report, Rows &rows) {
  const auto warnings = report.popscope().warnings();
  rows.fact("warnings", std::uint64_t(warnings.size()));
  for (const auto &w : warnings)
    rows.notes.emplace_back("the compiler said: " + w.about + " " + w.text);
}

void addCaveats(const pva::Report &report, Rows &rows) {
  if (!report.popscope().codeIncluded())
    rows.notes.emplace_back("memory is without code: this is an IPU Model without compileIPUCode");
  if (report.execution().runs().empty())
    return;
  std::uint64_t unknown = 0;
  for (const auto &set : report.compilation().computeSets())
    for (const pva::CycleSource &source : set.cycleSources())
      unknown += source.source.empty() ? source.vertices : 0;
  rows.fact("verticesWithoutCycles", unknown, Unit::Vertices);
  if (unknown != 0)
    rows.notes.emplace_back("cycles of " + cellText(unknown, Unit::Vertices) +
                            " are unknown; popscope sources lists the reasons");
}

void addUnfinished(const Request &request, Rows &rows) {
  const std::filesystem::path unfinished = request.report.popscope().unfinishedBeside();
  if (unfinished.empty())
    return;
  const std::string other = (std::filesystem::path(request.profile).parent_path() / unfinished.filename()).string();
  rows.notes.emplace_back("in the folder is also " + other + ", which its program has not finished; popscope recover " +
                          shellWord(other) + " makes a whole profile of it");
}

/// Returns microseconds as the nanoseconds of a cell.
std::uint64_t nanoseconds(double microseconds) {
  return microseconds <= 0 ? 0 : static_cast<std::uint64_t>(std::llround(microseconds * 1e3));
}

/// Returns the table of the compiler's passes and their effects.
Table passTable(const Request &request) {
  Table table{"passes",
              "Effects of the compiler's passes",
              {{"pass", "Pass"}, {"unit", "Of"}, {"before", "Before"}, {"after", "After"}, {"change", "Change"}}};
  for (const pva::Optimization &pass : request.report.compilation().optimizations())
    table.rows.push_back({pass.name, pass.unit, pass.before, pass.after,
                          static_cast<std::int64_t>(pass.after) - static_cast<std::int64_t>(pass.before)});
  return table;
}

/// Collects the phases of the compilation, and the writing of its profile.
Rows collectCompile(const Request &request) {
  Rows rows("info");
  rows.tables.push_back(passTable(request));
  const auto phases = request.report.popscope().compilePhases();
  if (phases.empty()) {
    if (rows.tables.front().rows.empty())
      throw AnswerError(
          "the profile has no phases of the compilation; run the program with the engine option "
          "popscope.recordCompilePhases, as popscope run --set popscope.recordCompilePhases=true -- does. "
          "An executable that was loaded from a file was not compiled here");
    rows.notes.emplace_back(
        "The phases of the compilation are not recorded; set the engine option popscope.recordCompilePhases, for "
        "example with popscope run --set popscope.recordCompilePhases=true --");
    suggest(rows, request, "info");
    return rows;
  }
  Table table{"phases",
              "Phases of the compilation, indented by nesting, and the writing of the profile",
              {{"phase", "Phase"},
               {"wall", "Wall", Unit::Duration},
               {"share", "Of all", Unit::Percent},
               {"cpu", "CPU", Unit::Duration},
               {"threads", "Threads busy"},
               {"grew", "Memory grew", Unit::Bytes},
               {"peak", "Peak so far", Unit::Bytes}}};
  std::uint64_t whole = 0, peak = 0;
  bool memory = true;
  std::vector<std::size_t> depth;
  std::optional<pva::CompilePhase> compile, written; // the first and the last phase that are no parts of others
  for (const pva::CompilePhase &p : phases) {
    depth.push_back(p.isPart ? depth[p.parent] + 1 : 0);
    if (!p.isPart) {
      (compile ? written : compile) = p;
      whole += nanoseconds(p.wallMicroseconds);
    }
    if (!written) {
      memory = memory && p.memoryKnown;
      peak = std::max(peak, p.peakBytes);
    }
  }
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const pva::CompilePhase &p = phases[i];
    const std::uint64_t wall = nanoseconds(p.wallMicroseconds);
    table.rows.push_back(
        {std::string(2 * depth[i], ' ') + p.name, wall, Share{wall, whole}, nanoseconds(p.cpuMicroseconds),
         p.wallMicroseconds > 0 ? Cell(fmt::format("{:.1f}", p.cpuMicroseconds / p.wallMicroseconds)) : Cell(Unknown()),
         p.memoryKnown ? Cell(static_cast<std::int64_t>(p.bytesAfter) - static_cast<std::int64_t>(p.bytesBefore))
                       : Cell(Unknown()),
         knownOr(p.memoryKnown, p.peakBytes)});
  }
  rows.fact("compileWall", nanoseconds(compile->wallMicroseconds), Unit::Duration);
  rows.fact("compileCpu", nanoseconds(compile->cpuMicroseconds), Unit::Duration);
  rows.fact("peakMemory", knownOr(memory, peak), Unit::Bytes);
  rows.lines.emplace_back(
      "The graph was compiled in {compileWall} of wall time and {compileCpu} of CPU; until then the "
      "process had at most {peakMemory} in memory.");
  if (written) {
    rows.fact("profileWall", nanoseconds(written->wallMicroseconds), Unit::Duration);
    rows.fact("profileCpu", nanoseconds(written->cpuMicroseconds), Unit::Duration);
    rows.lines.emplace_back(
        "The compile part of the profile was written in {profileWall} of wall time and {profileCpu} of CPU.");
  }
  rows.tables.insert(rows.tables.begin(), std::move(table));
  rows.notes.emplace_back(
      "these are measurements of the compiling process, which differ each time; CPU time is the sum over its threads; "
      "a phase whose peak is above that of the previous phase reached this peak itself");
  suggest(rows, request, "info");
  return rows;
}

} // namespace

Rows collectInfoAnswer(const Request &request) {
  if (const auto fault = request.options.find("report"); fault != request.options.end() && !fault->second.empty())
    return collectFaultReport(request);
  if (const auto compile = request.options.find("compile");
      compile != request.options.end() && !compile->second.empty())
    return collectCompile(request);
  Rows rows("info");
  addTarget(request.report, rows);
  addMemory(request, request.selection.countOr(kShownCategories), rows);
  addPeak(request, rows);
  addExecution(request, rows);
  addInstrumentation(request, rows);
  addCaveats(request.report, rows);
  addWarnings(request.report, rows);
  addUnfinished(request, rows);
  if (!request.report.popscope().tilesOutOfMemory().empty())
    suggest(rows, request, "oom");
  suggest(rows, request, "top");
  suggest(rows, request, "peak");
  suggest(rows, request, "loss");
  return rows;
}

} // namespace popscope
