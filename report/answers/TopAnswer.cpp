#include "report/answers/TopAnswer.hpp"

#include "report/answers/FlopColumns.hpp"
#include "report/answers/Layers.hpp"
#include "report/answers/MeasuredColumn.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace popscope {
namespace {

constexpr std::size_t kUsualTopRows = 10;

/// Sums over the executions of one program or compute set.
struct Sum {
  const StepProgramInfo *program = nullptr;
  std::uint64_t executions = 0, cycles = 0, length = 0, busy = 0, threads = 0, data = 0;
  bool known = true, threadsKnown = true;
  /// Adds a step on a machine part of `tiles` tiles. `someTiles`: readChosenWork has read the step, and only these
  /// tiles count.
  void add(const StepTime &step, bool someTiles, std::uint64_t tiles) {
    program = step.program;
    ++executions;
    cycles += someTiles ? step.chosenMost : step.adds();
    length += someTiles ? step.chosenMost : step.length(tiles);
    busy += someTiles ? step.chosenWork : step.busy;
    threads += step.threads;
    data += (step.dataIn + step.dataOut) / 2;
    known = known && step.known;
    threadsKnown = threadsKnown && step.threadsKnown;
  }
};

/// Returns the requested measure of a list; its first one if none was requested.
std::string measure(const Request &request, const std::vector<std::string> &has) {
  const std::string asked = request.options.at("by");
  if (asked.empty())
    return has.front();
  if (std::find(has.begin(), has.end(), asked) != has.end())
    return asked;
  std::string list;
  for (const auto &one : has)
    list += (list.empty() ? "" : ", ") + one;
  const bool recorded = !request.report.execution().runs().empty();
  throw AnswerError("--by: " + request.options.at("of") + " have no " + asked +
                    (!recorded                       ? " in a profile without a recorded run"
                     : request.selection.everyTile() ? ""
                                                     : " by tile") +
                    "; give one of " + list);
}

/// Checks that --by flops can rank. Throws, with the reason, if no operations are known.
void demandFlops(const std::string &by, const FlopColumns &flops) {
  if (by == "flops" && flops.empty())
    throw AnswerError("--by flops: " + flops.whyNone() + "; give cycles");
}

bool wanted(const Request &request, const std::string &name) {
  return request.selection.name.empty() || nameMatches(request.selection.name, name);
}

/// Returns whether --tiles selects some. --ipu alone does not count: the file has the times of each IPU.
bool someTiles(const Request &request) { return !request.selection.tiles.empty(); }

void readTimes(const Request &request, StepTimes &times) {
  readStepTimes(request.report, request.selection, times);
  if (someTiles(request))
    readChosenWork(request.report, request.selection, times);
}

/// Returns the measures of a list, the default first. Measures that need a recorded run are left out if there is none.
std::vector<std::string> measuresOf(const Request &request, std::vector<std::string> recorded,
                                    const std::vector<std::string> &always) {
  if (request.report.execution().runs().empty())
    recorded.clear();
  recorded.insert(recorded.end(), always.begin(), always.end());
  return recorded;
}

/// Returns the sum of the values of the selected tiles.
std::uint64_t sumOn(const pva::Values &byTile, const std::vector<bool> &chosen) {
  std::uint64_t sum = 0;
  for (std::size_t tile = 0; tile < std::min(byTile.size(), chosen.size()); ++tile)
    sum += chosen[tile] ? byTile[tile] : 0;
  return sum;
}

std::uint64_t verticesOn(const StepProgramInfo &program, const std::vector<bool> &chosen) {
  std::uint64_t sum = 0;
  if (program.set)
    for (const auto &of : program.set->vertices())
      sum += sumOn(of.countByTile(), chosen);
  return sum;
}

/// Returns the number of vertices on the selected tiles, or on all.
std::uint64_t vertices(const Request &request, const StepProgramInfo &program, const std::vector<bool> &chosen) {
  return request.selection.everyTile() ? program.vertices() : verticesOn(program, chosen);
}

/// Returns the compute sets that never ran, by vertices.
Table computeSetsOfGraph(const Request &request, const std::vector<bool> &chosen, Table table) {
  const NumberSet steps = selectedSteps(request.selection);
  StepPrograms programs;
  Ranking ranking(std::move(table));
  std::set<std::int64_t> seen;
  for (const auto &program : allPrograms(request.report)) {
    const StepProgramInfo &info = programs.of(*program);
    if (info.computeSet < 0 || !steps.contains(info.id) || !wanted(request, info.name) ||
        !seen.insert(info.computeSet).second)
      continue;
    const std::uint64_t count = vertices(request, info, chosen);
    if (count != 0 || request.selection.everyTile())
      ranking.add(count, {nameOr(info.name), std::uint64_t(0), Unknown(), Unknown(), Unknown(), Unknown(), count});
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

std::uint64_t tilesOf(const Request &request) {
  const pva::Target target = request.report.compilation().target();
  return request.selection.ipu ? target.tilesPerIpu() : target.tilesPerReplica();
}

// Ranks compute sets by the requested measure; those of the graph if no run was recorded.
Table topComputeSets(const Request &request, const FlopColumns &flops) {
  const std::string by = measure(request, measuresOf(request, {"cycles"}, {"vertices", "flops"}));
  demandFlops(by, flops);
  StepTimes times;
  readTimes(request, times);
  const std::vector<bool> chosen = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  const std::uint64_t tiles = someTiles(request)
                                  ? static_cast<std::uint64_t>(std::count(chosen.begin(), chosen.end(), true))
                                  : tilesOf(request);
  std::map<std::int64_t, Sum> sums;
  for (const StepTime &step : times.steps)
    if (step.program->computeSet >= 0 && steps.contains(step.program->id) && wanted(request, step.program->name))
      sums[step.program->computeSet].add(step, someTiles(request), tiles);
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
    return computeSetsOfGraph(request, chosen, std::move(table));
  flops.addTo(table);
  measured.addTo(table);
  Ranking ranking(std::move(table));
  for (const auto &[set, sum] : sums) {
    const std::uint64_t count = vertices(request, *sum.program, chosen);
    if (count == 0 && !request.selection.everyTile())
      continue;
    std::vector<Cell> row = {
        nameOr(sum.program->name),
        sum.executions,
        knownOr(sum.known, sum.cycles),
        shareOr(sum.known, sum.cycles, times.cycles),
        shareOr(sum.known, sum.busy, tiles * sum.length),
        shareOr(sum.known && sum.threadsKnown && request.selection.everyTile(), sum.threads, sum.busy),
        count};
    FlopSum operations;
    operations.add(flops.ofSet(set), sum.executions);
    flops.addTo(row, operations, sum.known, sum.length, tiles);
    measured.addTo(row, measured.ofStep(sum.program->id, set));
    ranking.add(by == "vertices" ? std::optional(count)
                : by == "flops"  ? operations.known() ? std::optional(operations.operations) : std::nullopt
                : sum.known      ? std::optional(sum.cycles)
                                 : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

/// Exchange code of a program, and the data that one execution moves, on the selected tiles.
struct OnTiles {
  std::uint64_t code = 0, moved = 0;
};
OnTiles onTiles(const pva::Program &program, const std::vector<bool> &chosen) {
  const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(&program);
  if (exchange == nullptr)
    return {};
  return {sumOn(exchange->codeBytesByTile(), chosen),
          (sumOn(exchange->bytesSentByTile(), chosen) + sumOn(exchange->bytesReceivedByTile(), chosen)) / 2};
}

// Ranks steps by cycles, data or exchange code, on the selected tiles.
Table topSteps(const Request &request) {
  const std::string by = measure(request, measuresOf(request, {"cycles", "bytes"}, {"code"}));
  StepTimes times;
  readTimes(request, times);
  const std::vector<bool> chosen = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  const std::uint64_t tiles = tilesOf(request);
  std::map<std::size_t, Sum> sums;
  for (const StepTime &step : times.steps)
    sums[step.program->id].add(step, someTiles(request), tiles);
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
    const auto sum = sums.find(info.id);
    if (!steps.contains(info.id) || !wanted(request, info.name))
      continue;
    const auto [code, moved] = onTiles(*program, chosen);
    const Sum none, &s = sum == sums.end() ? none : sum->second;
    const std::uint64_t data = someTiles(request) ? moved * s.executions : s.data;
    const bool nothing = someTiles(request) ? s.known && s.busy == 0 && data == 0 : sum == sums.end();
    if (nothing && code == 0)
      continue;
    std::vector<Cell> row = {std::uint64_t(info.id),
                             info.title,
                             s.executions,
                             knownOr(s.known, s.cycles),
                             shareOr(s.known, s.cycles, times.cycles),
                             data,
                             code};
    measured.addTo(row, measured.ofStep(info.id, info.computeSet));
    ranking.add(by == "code"    ? std::optional(code)
                : by == "bytes" ? std::optional(data)
                : s.known       ? std::optional(s.cycles)
                                : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

/// Returns the vertex types of the steps that --steps and --runs select, or nothing if they do not restrict the steps.
std::optional<std::set<std::size_t>> typesOfSteps(const Request &request) {
  if (request.selection.everyStep())
    return std::nullopt;
  const StepChoice choice(request.report, request.selection);
  std::set<std::size_t> types;
  for (const auto &program : allPrograms(request.report))
    if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(program.get());
        execute != nullptr && choice.contains(program->_id()))
      for (const auto &of : execute->computeset().vertices())
        types.insert(of.type()._id());
  return types;
}

// Ranks vertex types. Bytes and code come from the selected tiles; cycles and operations are known for all tiles
// together.
Table topVertexTypes(const Request &request, const FlopColumns &flops) {
  const bool everywhere = request.selection.everyTile();
  const std::string by = everywhere
                             ? measure(request, measuresOf(request, {"cycles"}, {"bytes", "code", "vertices", "flops"}))
                             : measure(request, {"bytes", "code", "vertices"}); // cycles are those of all tiles
  demandFlops(by, flops);
  const auto asked = typesOfSteps(request);
  struct Type {
    std::string name;
    std::uint64_t vertices = 0, bytes = 0, code = 0, cycles = 0, unknown = 0;
    FlopSum operations{};
  };
  std::map<std::size_t, Type> types;
  for (const auto &type : request.report.compilation().vertexTypes())
    types[type._id()] = everywhere ? Type{type.name(), type.instances(), type.memoryBytes()} : Type{type.name()};
  const auto tiles = request.report.compilation().tiles();
  for (const std::size_t tile : selectedTiles(request.report, request.selection))
    for (const auto &on : tiles[tile].memory().vertices()) {
      Type &type = types[on.type()._id()];
      type.code += on.codeBytes();
      if (!everywhere) {
        type.vertices += on.count();
        type.bytes += on.codeBytes() + on.vertexDataBytes() + on.edgePtrBytes() + on.copyPtrBytes() +
                      on.paddingBytes() + on.descriptorBytes();
      }
    }
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
    StepTimes times; // of all runs, as the cycles are
    readStepTimes(request.report, {}, times);
    std::map<std::int64_t, std::uint64_t> executions; // by compute set
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
               {"cycles", "Thread cycles, all executions", Unit::TileCycles},
               {"share", "Of all", Unit::Percent},
               {"bytes", "Memory", Unit::Bytes},
               {"code", "Code", Unit::Bytes}},
              {}};
  flops.addSumTo(table);
  Ranking ranking(std::move(table));
  for (const auto &[id, type] : types) {
    if (!wanted(request, type.name) || (asked && asked->count(id) == 0) || (!everywhere && type.vertices == 0))
      continue;
    const bool known = recorded && everywhere && type.unknown == 0;
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

// Ranks single vertices by the cycles of their last recorded execution.
Table topVertices(const Request &request, const pva::List<pva::VertexExecution> &vertices) {
  (void)measure(request, {"cycles"});
  const bool everywhere = request.selection.everyTile();
  std::vector<bool> chosen;
  if (!everywhere)
    chosen = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  std::set<std::size_t> sets; // compute sets that the selected steps execute
  for (const auto &program : allPrograms(request.report))
    if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(program.get());
        execute != nullptr && steps.contains(program->_id()))
      sets.insert(execute->computeset()._id());
  Ranking ranking({"vertices",
                   "Vertices by cycles of their last execution",
                   {{"computeSet", "Compute set"},
                    {"tile", "Tile", Unit::Id},
                    {"type", "Type"},
                    {"cycles", "Thread cycles", Unit::Cycles},
                    {"operands", "Operands"}},
                   {}});
  for (const pva::VertexExecution &v : vertices) {
    if ((!everywhere && (v.tile >= chosen.size() || !chosen[v.tile])) || sets.count(v.computeSet._id()) == 0)
      continue;
    if (wanted(request, v.computeSet.name()) || wanted(request, v.type.name()))
      ranking.add(
          v.known ? std::optional(v.cycles) : std::nullopt,
          {nameOr(v.computeSet.name()), std::uint64_t(v.tile), v.type.name(), knownOr(v.known, v.cycles), v.operands});
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

// Ranks variables by bytes on the selected tiles; those of one name and category, like the buffers of one exchange, are
// one row.
Table topVariables(const Request &request) {
  (void)measure(request, {"bytes"});
  const bool everywhere = request.selection.everyTile();
  const auto tiles = selectedTiles(request.report, request.selection);
  const std::vector<bool> steps = livenessStepMask(request.report, request.selection);
  const auto liveThere = [&](const pva::Variable &v) {
    bool live = steps.empty() || v.alwaysLive();
    for (const pva::StepInterval &span : live ? pva::List<pva::StepInterval>() : v.liveSteps())
      for (std::size_t step = span.start(); step < span.end() && !live; ++step)
        live = steps[step];
    return live;
  };
  Ranking ranking(
      {"variables",
       std::string(everywhere ? "Variables by bytes on all tiles" : "Variables by bytes on the tiles chosen") +
           (steps.empty() ? "" : ", of those live at the steps chosen"),
       {{"name", "Name"},
        {"category", "Category"},
        {"variables", "Variables"},
        {"bytes", "Bytes", Unit::Bytes},
        {"alwaysLive", "Always live"}},
       {}});
  struct NamesakeSum {
    std::uint64_t variables = 0, bytes = 0;
  };
  std::map<std::tuple<std::string, std::string, bool>, NamesakeSum> sums; // by name, category and whether always live
  for (const auto &v : request.report.compilation().variables()) {
    if (!wanted(request, v.name()) || !liveThere(v))
      continue;
    std::uint64_t bytes = v.size();
    if (!everywhere) {
      bytes = 0;
      for (const std::size_t tile : tiles)
        bytes += v.bytesOn(tile);
    }
    if (bytes == 0)
      continue;
    NamesakeSum &sum = sums[{v.name(), v.category(), v.alwaysLive()}];
    ++sum.variables;
    sum.bytes += bytes;
  }
  for (const auto &[key, sum] : sums)
    ranking.add(sum.bytes, {std::get<0>(key), std::get<1>(key), sum.variables, sum.bytes, std::get<2>(key)});
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

// Ranks tiles by bytes, code or cycles.
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
    const NumberSet steps = selectedSteps(request.selection);
    const auto all = request.report.execution().runs();
    for (const std::size_t run : times.runs)
      for (const auto &step : all[run].steps()) {
        if (!steps.everything() && !steps.contains(step.program()->_id()))
          continue;
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
    std::vector<Cell> row = {std::uint64_t(tile), used,
                             Share{std::min(used, memory), memory}, // at most all memory; the column Free shows the
                                                                    // excess
                             static_cast<std::int64_t>(memory) - static_cast<std::int64_t>(used), vertex, exchange};
    if (by == "cycles")
      row.emplace_back(busy[tile]);
    ranking.add(by == "bytes" ? used : by == "cycles" ? busy[tile] : vertex + exchange, std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

/// Programs that form one row.
struct ProgramGroup {
  std::string name, source;
  std::vector<std::shared_ptr<pva::Program>> programs;
};

/// Returns the title of an operation without a name: the kind of its first program that lies in no program of another
/// kind, such as "<RepeatWhile>", with the variables that a copy of a stream accesses.
std::string kindName(const std::vector<std::shared_ptr<pva::Program>> &programs, MovedNames &moved) {
  using Type = pva::Program::Type;
  static const std::set<Type> parts = {Type::Sync,       Type::SyncAns,        Type::Sans,         Type::Sequence,
                                       Type::DoExchange, Type::GlobalExchange, Type::OnTileExecute};
  const auto whole = std::find_if(programs.begin(), programs.end(),
                                  [](const auto &program) { return parts.count(program->type()) == 0; });
  if (programs.empty())
    return nameOr("");
  const Type type = (whole == programs.end() ? programs.front() : *whole)->type();
  if (type != Type::StreamCopyBegin)
    return "<" + pva::programTypeName(type) + ">";
  const auto moves =
      std::find_if(whole, programs.end(), [](const auto &program) { return program->type() == Type::StreamCopyMid; });
  return moved.of("StreamCopy", (moves == programs.end() ? *whole : *moves)->_id(), "<StreamCopy>");
}

/// Returns the programs of each debug context.
std::vector<ProgramGroup> operationGroups(const pva::Report &report) {
  std::vector<ProgramGroup> groups;
  MovedNames moved(report);
  for (const auto &operation : pva::OperationAnalysis(report).operations()) {
    const pva::DebugLocation place = operation.debugContext().location();
    ProgramGroup group{operation.name(),
                       place.fileName().empty() ? "" : place.fileName() + ":" + std::to_string(place.lineNumber()),
                       {}};
    for (const auto &program : operation.programs())
      group.programs.push_back(program);
    if (group.name.empty())
      group.name = kindName(group.programs, moved);
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Groups programs by layer, the prefix of their names; all barriers are one. Programs without a name belong to no
/// layer. `parts`: components of a name that tell layers apart; 0: as layerParts finds.
std::vector<ProgramGroup> layerGroups(const pva::Report &report, std::size_t parts) {
  std::vector<std::shared_ptr<pva::Program>> programs;
  std::vector<std::string> names;
  for (const auto &program : allPrograms(report))
    if (std::string name = program->name(); !name.empty()) {
      const pva::Program::Type type = program->type();
      const bool barrier = type == pva::Program::Type::Sync || type == pva::Program::Type::SyncAns;
      programs.push_back(program);
      names.push_back(barrier ? "<Sync>" : std::move(name));
    }
  const std::vector<std::string> layers = layersOf(
      names, [](const std::string &name) -> const std::string & { return name; }, parts);
  std::map<std::string, ProgramGroup> byLayer;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    ProgramGroup &group = byLayer[layers[i]];
    group.name = layers[i];
    group.programs.push_back(programs[i]);
  }
  std::vector<ProgramGroup> groups;
  for (auto &entry : byLayer)
    groups.push_back(std::move(entry.second));
  return groups;
}

/// Returns operations, or layers if they are requested or the profile has no debug information.
Table topOperations(const Request &request, const FlopColumns &flops) {
  std::vector<ProgramGroup> groups;
  if (request.options.at("of") == "operations")
    groups = operationGroups(request.report);
  const bool byLayer = groups.empty();
  std::size_t parts = 0;
  if (const std::string depth = request.options.at("depth"); !depth.empty()) {
    if (!byLayer)
      throw AnswerError("--depth: operations have no levels; give --of layers");
    parts = readLevels(depth);
  }
  if (byLayer)
    groups = layerGroups(request.report, parts);
  const std::string by = measure(request, measuresOf(request, {"cycles"}, {"code", "flops"}));
  demandFlops(by, flops);
  StepTimes times;
  readTimes(request, times);
  const std::vector<bool> chosen = tileMask(request.report, request.selection);
  const StepChoice choice(request.report, request.selection);
  const std::uint64_t tiles = tilesOf(request);
  std::map<std::size_t, Sum> sums;
  for (const StepTime &step : times.steps)
    sums[step.program->id].add(step, someTiles(request), tiles);
  Table table{"operations",
              (byLayer ? "Layers by " : "Operations by ") + std::string(by == "code" ? "exchange code" : by),
              {{"name", "Name"},
               {"steps", "Steps"},
               {"cycles", "Cycles", Unit::Cycles},
               {"share", "Of all", Unit::Percent},
               {"code", "Code", Unit::Bytes},
               {"place", "Source"}},
              {}};
  flops.addSumTo(table);
  Ranking ranking(std::move(table));
  for (const ProgramGroup &group : groups) {
    if (!wanted(request, group.name))
      continue;
    std::uint64_t steps = 0, cycles = 0, code = 0;
    bool known = !times.runs.empty(), there = request.selection.everyTile();
    FlopSum done;
    for (const auto &program : group.programs) {
      if (!choice.contains(program->_id()))
        continue;
      const OnTiles on = onTiles(*program, chosen);
      const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(program.get());
      there = there || on.code + on.moved != 0;
      for (const auto &of :
           execute == nullptr || there ? pva::List<pva::VertexInstances>() : execute->computeset().vertices())
        there = there || sumOn(of.countByTile(), chosen) != 0;
      ++steps;
      code += on.code;
      if (const auto sum = sums.find(program->_id()); sum != sums.end()) {
        cycles += sum->second.cycles;
        there = there || (someTiles(request) && sum->second.busy != 0);
        known = known && sum->second.known;
        done.add(flops.ofSet(sum->second.program->computeSet), sum->second.executions);
      }
    }
    if (steps == 0 || !there)
      continue;
    std::vector<Cell> row = {
        nameOr(group.name), steps, knownOr(known, cycles), shareOr(known, cycles, times.cycles), code, group.source};
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

// Collects the table of --of and the notes that explain its numbers.
Rows collectTop(const Request &request) {
  Rows rows;
  rows.view = "top";
  const std::string of = request.options.at("of");
  if (of != "layers" && of != "operations" && !request.options.at("depth").empty())
    throw AnswerError("--depth: " + of + " have no levels; give --of layers");
  const bool withFlops = of == "compute-sets" || of == "vertex-types" || of == "operations" || of == "layers";
  std::optional<FlopColumns> flops;
  if (withFlops)
    flops.emplace(request, request.selection.everyTile());
  const auto vertices = of == "vertices" ? request.report.execution().vertices() : pva::List<pva::VertexExecution>();
  if (of == "compute-sets")
    rows.tables.push_back(topComputeSets(request, *flops));
  else if (of == "steps")
    rows.tables.push_back(topSteps(request));
  else if (of == "vertex-types")
    rows.tables.push_back(topVertexTypes(request, *flops));
  else if (of == "vertices")
    rows.tables.push_back(topVertices(request, vertices));
  else if (of == "variables")
    rows.tables.push_back(topVariables(request));
  else if (of == "tiles")
    rows.tables.push_back(topTiles(request));
  else
    rows.tables.push_back(topOperations(request, *flops));
  if (of == "vertices")
    rows.notes.emplace_back(vertices.empty()
                                ? "single vertices are not recorded: set debug.computeInstrumentationLevel to "
                                  "\"vertex\", on a device with debug.instrument, and run again"
                                : "cycles are those of the last recorded execution: thread cycles of workers");
  else if (!request.report.execution().runs().empty() && of != "variables")
    rows.notes.emplace_back("cycles are estimates, summed over the selected recorded runs");
  if (request.selection.everyTile() && !request.report.execution().runs().empty() &&
      (of == "compute-sets" || of == "steps" || of == "operations"))
    rows.notes.emplace_back("the cycles of a step are those by which it makes the runs longer; a step that runs at the "
                            "same time as earlier ones adds none, so all steps add up to the runs");
  if (of == "vertex-types" && !request.selection.everyStep())
    rows.notes.emplace_back(
        "only types of the chosen steps are listed; their figures are those of the whole program, and their "
        "cycles those of all recorded runs");
  if (of == "vertex-types" && !request.selection.everyTile())
    rows.notes.emplace_back("cycles of vertex types are known only for all tiles together");
  if (of == "tiles" && !request.selection.everyStep() && request.options.at("by") != "cycles")
    rows.notes.emplace_back("bytes and code are those of the whole program, whatever steps were chosen; popscope peak "
                            "--steps lists what is live at the chosen steps");
  if (someTiles(request) && (of == "compute-sets" || of == "steps" || of == "operations" || of == "layers"))
    rows.notes.emplace_back("vertices, code and data are those of the chosen tiles, and cycles those of the slowest of "
                            "them; shares are shares of the whole runs");
  if (request.report.execution().runs().empty() && request.options.at("by").empty() && of != "variables" &&
      of != "tiles" && of != "vertices")
    rows.notes.emplace_back("no run was recorded, so the ranking is by compiled sizes, not by cycles");
  if (of == "compute-sets" || of == "steps")
    MeasuredColumn(request.report).addNote(rows);
  if (withFlops)
    flops->addNote(rows);
  suggest(rows, request, "top", of == "compute-sets" ? "--of steps" : "--of compute-sets");
  if (of == "tiles" && !rows.tables[0].rows.empty())
    suggest(rows, request, "tile", std::to_string(std::get<std::uint64_t>(rows.tables[0].rows[0][0])));
  if (of == "compute-sets" || of == "steps")
    suggest(rows, request, "loss");
  return rows;
}

} // namespace popscope
