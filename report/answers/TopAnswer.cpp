#include "report/answers/TopAnswer.hpp"

#include "report/answers/FlopColumns.hpp"
#include "report/answers/MeasuredColumn.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kUsualTopRows = 10;

/// Sums over the executions of one program or compute set.
struct Sum {
  const StepProgramInfo *program = nullptr;
  std::uint64_t executions = 0, cycles = 0, busy = 0, threads = 0, data = 0;
  bool known = true, threadsKnown = true;
  void add(const StepTime &step) {
    program = step.program;
    ++executions;
    cycles += step.cycles;
    busy += step.busy;
    threads += step.threads;
    data += (step.dataIn + step.dataOut) / 2;
    known = known && step.known;
    threadsKnown = threadsKnown && step.threadsKnown;
  }
};

/// Which of the measures that a list has was asked for; its first one if none was.
std::string measure(const Request &request, const std::vector<std::string> &has) {
  const std::string asked = request.options.at("by");
  if (asked.empty())
    return has.front();
  if (std::find(has.begin(), has.end(), asked) != has.end())
    return asked;
  std::string list;
  for (const auto &one : has)
    list += (list.empty() ? "" : ", ") + one;
  throw AnswerError("--by: " + request.options.at("of") + " have no " + asked + "; give one of " + list);
}

/// What --by flops ranks by. Throws where nothing is known, and says why.
void demandFlops(const std::string &by, const FlopColumns &flops) {
  if (by == "flops" && flops.empty())
    throw AnswerError("--by flops: " + flops.whyNone() + "; give cycles");
}

bool wanted(const Request &request, const std::string &name) {
  return request.selection.name.empty() || nameMatches(request.selection.name, name);
}

/// Throws where nothing was recorded.
void readTimes(const Request &request, StepTimes &times) {
  readStepTimes(request.report, request.selection, times);
  if (times.runs.empty())
    throw AnswerError("the profile has no recorded run; ask with --by " +
                      std::string(request.options.at("of") == "steps" ? "code" : "vertices") +
                      ", or run the program with profiling");
}

/// Compute sets that never ran, by vertices.
Table computeSetsOfGraph(const Request &request, Table table) {
  const NumberSet steps = selectedSteps(request.selection);
  StepPrograms programs;
  Ranking ranking(std::move(table));
  std::set<std::int64_t> seen;
  for (const auto &program : allPrograms(request.report)) {
    const StepProgramInfo &info = programs.of(*program);
    if (info.computeSet < 0 || !steps.contains(info.id) || !wanted(request, info.name) ||
        !seen.insert(info.computeSet).second)
      continue;
    const std::uint64_t vertices = info.vertices();
    ranking.add(vertices, {nameOr(info.name), std::uint64_t(0), Unknown(), Unknown(), Unknown(), Unknown(), vertices});
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

std::uint64_t tilesOf(const Request &request) {
  const pva::Target target = request.report.compilation().target();
  return request.selection.ipu ? target.tilesPerIpu() : target.tilesPerReplica();
}

Table topComputeSets(const Request &request, const FlopColumns &flops) {
  const std::string by = measure(request, {"cycles", "vertices", "flops"});
  demandFlops(by, flops);
  StepTimes times;
  if (by == "vertices")
    readStepTimes(request.report, request.selection, times);
  else
    readTimes(request, times);
  const NumberSet steps = selectedSteps(request.selection);
  std::map<std::int64_t, Sum> sums;
  for (const StepTime &step : times.steps)
    if (step.program->computeSet >= 0 && steps.contains(step.program->id) && wanted(request, step.program->name))
      sums[step.program->computeSet].add(step);
  const MeasuredColumn measured(request.report);
  Table table{"computeSets",
              "Compute sets by " + by,
              {{"name", "Name"},
               {"executions", "Executions"},
               {"cycles", "Cycles", Unit::Cycles},
               {"share", "Of all", Unit::Percent},
               {"tilesBusy", "Tiles busy", Unit::Percent},
               {"threadsBusy", "Threads busy", Unit::Percent},
               {"vertices", "Vertices", Unit::Vertices}},
              {}};
  if (times.runs.empty())
    return computeSetsOfGraph(request, std::move(table));
  flops.addTo(table);
  measured.addTo(table);
  Ranking ranking(std::move(table));
  const std::uint64_t tiles = tilesOf(request);
  for (const auto &[set, sum] : sums) {
    std::vector<Cell> row = {nameOr(sum.program->name),
                             sum.executions,
                             knownOr(sum.known, sum.cycles),
                             shareOr(sum.known, sum.cycles, times.cycles),
                             shareOr(sum.known, sum.busy, tiles * sum.cycles),
                             shareOr(sum.known && sum.threadsKnown && !request.selection.ipu, sum.threads, sum.busy),
                             sum.program->vertices()};
    FlopSum operations;
    operations.add(flops.ofSet(set), sum.executions);
    flops.addTo(row, operations, sum.known, sum.cycles, tiles);
    measured.addTo(row, measured.ofStep(sum.program->id, set));
    ranking.add(by == "vertices" ? std::optional(sum.program->vertices())
                : by == "flops"  ? operations.known() ? std::optional(operations.operations) : std::nullopt
                : sum.known      ? std::optional(sum.cycles)
                                 : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

std::uint64_t codeOf(const pva::Program &program) {
  const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(&program);
  return exchange == nullptr ? 0 : sumOf(exchange->codeBytesByTile());
}

Table topSteps(const Request &request) {
  const std::string by = measure(request, {"cycles", "bytes", "code"});
  StepTimes times;
  if (by == "code")
    readStepTimes(request.report, request.selection, times);
  else
    readTimes(request, times);
  const NumberSet steps = selectedSteps(request.selection);
  std::map<std::size_t, Sum> sums;
  for (const StepTime &step : times.steps)
    sums[step.program->id].add(step);
  StepPrograms programs;
  const MeasuredColumn measured(request.report);
  Table table{"steps",
              "Steps by " + std::string(by == "code"    ? "exchange code"
                                        : by == "bytes" ? "bytes moved"
                                                        : by),
              {{"step", "Step", Unit::Id},
               {"program", "Program"},
               {"executions", "Executions"},
               {"cycles", "Cycles", Unit::Cycles},
               {"share", "Of all", Unit::Percent},
               {"bytes", "Data", Unit::Bytes},
               {"code", "Code", Unit::Bytes}},
              {}};
  measured.addTo(table);
  Ranking ranking(std::move(table));
  for (const auto &program : allPrograms(request.report)) {
    const StepProgramInfo &info = programs.of(*program);
    const std::uint64_t code = codeOf(*program);
    const auto sum = sums.find(info.id);
    if (!steps.contains(info.id) || !wanted(request, info.name) || (sum == sums.end() && code == 0))
      continue;
    const Sum none, &s = sum == sums.end() ? none : sum->second;
    std::vector<Cell> row = {std::uint64_t(info.id),
                             info.title,
                             s.executions,
                             knownOr(s.known, s.cycles),
                             shareOr(s.known, s.cycles, times.cycles),
                             s.data,
                             code};
    measured.addTo(row, measured.ofStep(info.id, info.computeSet));
    ranking.add(by == "code"    ? std::optional(code)
                : by == "bytes" ? std::optional(s.data)
                : s.known       ? std::optional(s.cycles)
                                : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

Table topVertexTypes(const Request &request, const FlopColumns &flops) {
  const std::string by = measure(request, {"cycles", "bytes", "code", "vertices", "flops"});
  demandFlops(by, flops);
  struct Type {
    std::string name;
    std::uint64_t vertices = 0, bytes = 0, code = 0, cycles = 0, unknown = 0;
    FlopSum operations{};
  };
  std::map<std::size_t, Type> types;
  for (const auto &type : request.report.compilation().vertexTypes())
    types[type._id()] = {type.name(), type.instances(), type.memoryBytes()};
  for (const auto &tile : request.report.compilation().tiles())
    for (const auto &on : tile.memory().vertices())
      types[on.type()._id()].code += on.codeBytes();
  const auto runs = request.report.execution().runs();
  std::uint64_t all = 0;
  const bool recorded = runs.size() != 0;
  for (const auto &v : request.report.execution().vertexTypes())
    if (v.known) {
      types[v.type._id()].cycles += v.cycles;
      all += v.cycles;
    } else
      ++types[v.type._id()].unknown;
  if (recorded && !flops.empty()) {
    StepTimes times; // of all runs, as the cycles
    readStepTimes(request.report, {}, times);
    std::map<std::int64_t, std::uint64_t> executions; // of compute sets
    for (const StepTime &step : times.steps)
      ++executions[step.program->computeSet];
    for (const pva::VertexTypeFlops &one : flops.all())
      if (const auto found = executions.find(static_cast<std::int64_t>(one.computeSet._id()));
          found != executions.end())
        types[one.type._id()].operations.add(one.flops, found->second);
  }
  Table table{"vertexTypes",
              "Vertex types by " + std::string(by == "bytes" ? "memory" : by),
              {{"name", "Name"},
               {"vertices", "Vertices", Unit::Vertices},
               {"cycles", "Thread cycles", Unit::TileCycles},
               {"share", "Of all", Unit::Percent},
               {"bytes", "Memory", Unit::Bytes},
               {"code", "Code", Unit::Bytes}},
              {}};
  flops.addSumTo(table);
  Ranking ranking(std::move(table));
  for (const auto &[id, type] : types) {
    if (!wanted(request, type.name))
      continue;
    const bool known = recorded && type.unknown == 0;
    std::vector<Cell> row = {type.name,  type.vertices, knownOr(known, type.cycles), shareOr(known, type.cycles, all),
                             type.bytes, type.code};
    flops.addSumTo(row, type.operations);
    ranking.add(by == "bytes"      ? std::optional(type.bytes)
                : by == "code"     ? std::optional(type.code)
                : by == "vertices" ? std::optional(type.vertices)
                : by == "flops"    ? type.operations.known() ? std::optional(type.operations.operations) : std::nullopt
                : known            ? std::optional(type.cycles)
                                   : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

Table topVariables(const Request &request) {
  (void)measure(request, {"bytes"});
  const bool everywhere = request.selection.everyTile();
  const auto tiles = selectedTiles(request.report, request.selection);
  Ranking ranking(
      {"variables",
       everywhere ? "Variables by bytes on all tiles" : "Variables by bytes on the tiles chosen",
       {{"name", "Name"}, {"category", "Category"}, {"bytes", "Bytes", Unit::Bytes}, {"alwaysLive", "Always live"}},
       {}});
  for (const auto &v : request.report.compilation().variables()) {
    if (!wanted(request, v.name()))
      continue;
    std::uint64_t bytes = v.size();
    if (!everywhere) {
      bytes = 0;
      for (const std::size_t tile : tiles)
        bytes += v.bytesOn(tile);
    }
    if (bytes != 0)
      ranking.add(bytes, {v.name(), v.category(), bytes, v.alwaysLive()});
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

Table topTiles(const Request &request) {
  const std::string by = measure(request, {"bytes", "cycles", "code"});
  const std::uint64_t memory = request.report.compilation().target().bytesPerTile();
  std::vector<std::uint64_t> busy;
  if (by == "cycles") {
    StepTimes times;
    Selection runs = request.selection;
    runs.ipu.reset();
    readStepTimes(request.report, runs, times);
    if (times.runs.empty())
      throw AnswerError(
          "the profile has no recorded run; ask with --by bytes or code, or run the program with profiling");
    busy.resize(tileCount(request.report));
    const auto all = request.report.execution().runs();
    for (const std::size_t run : times.runs)
      for (const auto &step : all[run].steps()) {
        const pva::Values cycles = step.cyclesByTile();
        for (std::size_t tile = 0; tile < std::min(busy.size(), cycles.size()); ++tile)
          busy[tile] += cycles[tile];
      }
  }
  std::vector<Column> columns = {{"tile", "Tile", Unit::Id},
                                 {"bytes", "Used", Unit::Bytes},
                                 {"share", "Of its memory", Unit::Percent},
                                 {"free", "Free", Unit::Bytes},
                                 {"vertexCode", "Vertex code", Unit::Bytes},
                                 {"exchangeCode", "Exchange code", Unit::Bytes}};
  if (by == "cycles")
    columns.push_back({"cycles", "Busy", Unit::Cycles});
  Ranking ranking({"tiles",
                   "Tiles by " + std::string(by == "bytes"    ? "bytes used"
                                             : by == "cycles" ? "busy cycles"
                                                              : "code"),
                   columns,
                   {}});
  const auto tiles = request.report.compilation().tiles();
  for (const std::size_t tile : selectedTiles(request.report, request.selection)) {
    const pva::TileMemory m = tiles[tile].memory();
    const std::uint64_t used = m.total().excludingGaps(), vertex = m.category().vertexCode().total(),
                        exchange = m.category().internalExchangeCode().total() +
                                   m.category().globalExchangeCode().total() + m.category().hostExchangeCode().total();
    std::vector<Cell> row = {std::uint64_t(tile),
                             used,
                             Share{used, memory},
                             static_cast<std::int64_t>(memory) - static_cast<std::int64_t>(used),
                             vertex,
                             exchange};
    if (by == "cycles")
      row.emplace_back(busy[tile]);
    ranking.add(by == "bytes" ? used : by == "cycles" ? busy[tile] : vertex + exchange, std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

Table topOperations(const Request &request, const FlopColumns &flops) {
  const std::string by = measure(request, {"cycles", "code", "flops"});
  demandFlops(by, flops);
  StepTimes times;
  readStepTimes(request.report, request.selection, times);
  std::map<std::size_t, Sum> sums;
  for (const StepTime &step : times.steps)
    sums[step.program->id].add(step);
  Table table{"operations",
              "Operations by " + std::string(by == "code" ? "exchange code" : by),
              {{"name", "Name"},
               {"steps", "Steps"},
               {"cycles", "Cycles", Unit::Cycles},
               {"share", "Of all", Unit::Percent},
               {"code", "Code", Unit::Bytes},
               {"place", "Source"}},
              {}};
  flops.addSumTo(table);
  Ranking ranking(std::move(table));
  for (const auto &operation : pva::OperationAnalysis(request.report).operations()) {
    if (!wanted(request, operation.name()))
      continue;
    std::uint64_t steps = 0, cycles = 0, code = 0;
    bool known = !times.runs.empty();
    FlopSum done;
    for (const auto &program : operation.programs()) {
      ++steps;
      code += codeOf(*program);
      if (const auto sum = sums.find(program->_id()); sum != sums.end()) {
        cycles += sum->second.cycles;
        known = known && sum->second.known;
        done.add(flops.ofSet(sum->second.program->computeSet), sum->second.executions);
      }
    }
    const pva::DebugLocation place = operation.debugContext().location();
    const std::string source =
        place.fileName().empty() ? "" : place.fileName() + ":" + std::to_string(place.lineNumber());
    std::vector<Cell> row = {
        nameOr(operation.name()), steps, knownOr(known, cycles), shareOr(known, cycles, times.cycles), code, source};
    flops.addSumTo(row, done);
    ranking.add(by == "code"    ? std::optional(code)
                : by == "flops" ? done.known() ? std::optional(done.operations) : std::nullopt
                : known         ? std::optional(cycles)
                                : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

} // namespace

Rows collectTop(const Request &request) {
  Rows rows;
  rows.view = "top";
  const std::string of = request.options.at("of");
  const bool withFlops = of == "compute-sets" || of == "vertex-types" || of == "operations";
  std::optional<FlopColumns> flops;
  if (withFlops)
    flops.emplace(request);
  if (of == "compute-sets")
    rows.tables.push_back(topComputeSets(request, *flops));
  else if (of == "steps")
    rows.tables.push_back(topSteps(request));
  else if (of == "vertex-types")
    rows.tables.push_back(topVertexTypes(request, *flops));
  else if (of == "variables")
    rows.tables.push_back(topVariables(request));
  else if (of == "tiles")
    rows.tables.push_back(topTiles(request));
  else
    rows.tables.push_back(topOperations(request, *flops));
  if (!request.report.execution().runs().empty() && of != "variables")
    rows.notes.emplace_back("cycles are estimates, summed over the recorded runs that were asked for");
  if (of == "vertex-types" && !request.selection.runs.empty())
    rows.notes.emplace_back("cycles of vertex types are those of all recorded runs");
  if (of == "compute-sets" || of == "steps")
    MeasuredColumn(request.report).addNote(rows);
  if (withFlops)
    flops->addNote(rows);
  rows.next = {commandFor(request, "top", of == "compute-sets" ? "--of steps" : "--of compute-sets")};
  if (of == "tiles" && !rows.tables[0].rows.empty())
    rows.next.push_back(
        commandFor(request, "tile", std::to_string(std::get<std::uint64_t>(rows.tables[0].rows[0][0]))));
  if (of == "compute-sets" || of == "steps")
    rows.next.push_back(commandFor(request, "loss"));
  return rows;
}

} // namespace popscope
