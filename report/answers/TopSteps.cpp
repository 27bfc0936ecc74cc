#include "report/answers/Layers.hpp"
#include "report/answers/MeasuredColumn.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepNames.hpp"
#include "report/answers/StepTimes.hpp"
#include "report/answers/TopTables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace popscope::top {
namespace {

/// Sums over the executions of one program or compute set.
struct Sum {
  const StepProgramInfo *program = nullptr;
  std::uint64_t executions = 0, cycles = 0, length = 0, busy = 0, threads = 0;
  std::uint64_t bothWays = 0;                                 // bytes that tiles send and receive
  bool known = true, cyclesKnown = true, threadsKnown = true; // known: cycles and the work of the tiles
  /// Adds a step. `tiles`: the number of tiles that count. `someTiles`: only the selected tiles count, and
  /// readChosenWork has read their work.
  void add(const StepTime &step, bool someTiles, std::uint64_t tiles) {
    program = step.program;
    ++executions;
    cycles += someTiles ? step.chosenMost : step.part;
    length += someTiles ? step.chosenMost : step.length(tiles);
    busy += someTiles ? step.chosenWork : step.busy;
    threads += step.threads;
    bothWays += step.dataIn + step.dataOut;
    known = known && step.known;
    cyclesKnown = cyclesKnown && (someTiles ? step.known : step.timeKnown);
    threadsKnown = threadsKnown && step.threadsKnown;
  }
};

StepTimes readTimes(const Request &request) {
  StepTimes times = readStepTimes(request.report, request.selection);
  if (someTiles(request))
    readChosenWork(request.report, request.selection, times);
  return times;
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

/// Returns the number of vertices on the selected tiles, or on all tiles.
std::uint64_t vertices(const Request &request, const StepProgramInfo &program, const std::vector<bool> &chosen) {
  return request.selection.everyTile() ? program.vertices() : verticesOn(program, chosen);
}

/// Returns the compute sets of a profile without runs, the sets with most vertices first.
Table computeSetsOfGraph(const Request &request, const std::vector<bool> &chosen, Table table) {
  const NumberSet steps = selectedSteps(request.selection);
  StepPrograms programs;
  MovedNames moved(request.report);
  Ranking ranking(std::move(table));
  std::set<std::int64_t> seen;
  for (const auto &program : allPrograms(request.report)) {
    const StepProgramInfo &info = programs.of(*program);
    if (info.computeSet < 0 || !steps.contains(info.id) || !moved.matches(request.selection.name, info) ||
        !seen.insert(info.computeSet).second)
      continue;
    const std::uint64_t count = vertices(request, info, chosen);
    if (count != 0 || request.selection.everyTile())
      ranking.add(count, {moved.nameOf(info), Unknown(), Unknown(), Unknown(), Unknown(), Unknown(), count});
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

std::uint64_t tilesOf(const Request &request) {
  const pva::Target target = request.report.compilation().target();
  return request.selection.ipu ? target.tilesPerIpu() : target.tilesPerReplica();
}

/// Adds up the steps of each program.
std::map<std::size_t, Sum> sumsByProgram(const Request &request, const StepTimes &times, std::uint64_t tiles) {
  std::map<std::size_t, Sum> sums;
  for (const StepTime &step : times.steps)
    sums[step.program->id].add(step, someTiles(request), tiles);
  return sums;
}

/// Returns the bytes of exchange code on the selected tiles.
std::uint64_t codeOn(const pva::Program &program, const std::vector<bool> &chosen) {
  const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(&program);
  return exchange == nullptr ? 0 : sumOn(exchange->codeBytesByTile(), chosen);
}

/// Returns the bytes that one execution sends and receives on the selected tiles.
std::uint64_t bothWaysOn(const pva::Program &program, const std::vector<bool> &chosen) {
  const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(&program);
  return exchange == nullptr
             ? 0
             : sumOn(exchange->bytesSentByTile(), chosen) + sumOn(exchange->bytesReceivedByTile(), chosen);
}

/// Programs that form one row.
struct ProgramGroup {
  std::string name, source;
  std::vector<std::shared_ptr<pva::Program>> programs;
  std::string own = name; // the name in the profile; --name selects by it, too
};

/// Returns the title of an operation without a name. The title is the type of its first program that is not part of
/// another step, such as "<RepeatWhile>". The title of a copy also names the variables that the copy accesses.
std::string kindName(const std::vector<std::shared_ptr<pva::Program>> &programs, MovedNames &moved) {
  using Type = pva::Program::Type;
  static const std::set<Type> parts = {Type::Sync,       Type::SyncAns,        Type::Sans,         Type::Sequence,
                                       Type::DoExchange, Type::GlobalExchange, Type::OnTileExecute};
  const auto whole = std::find_if(programs.begin(), programs.end(),
                                  [](const auto &program) { return parts.count(program->type()) == 0; });
  if (programs.empty())
    return nameOr("");
  if (whole == programs.end()) // the parts of a copy; the last part writes to the copy's destination
    for (auto part = programs.rbegin(); part != programs.rend(); ++part)
      if (isCompilersName((*part)->name()))
        if (std::string name = moved.of("Copy", (*part)->_id(), ""); !name.empty())
          return name;
  const Type type = (whole == programs.end() ? programs.front() : *whole)->type();
  if (type != Type::StreamCopyBegin)
    return "<" + pva::programTypeName(type) + ">";
  const auto moves =
      std::find_if(whole, programs.end(), [](const auto &program) { return program->type() == Type::StreamCopyMid; });
  return moved.of("StreamCopy", (moves == programs.end() ? *whole : *moves)->_id(), "<StreamCopy>");
}

/// Returns the name of the copy that gives the group its name, or the group's own name if there is no such copy.
std::string copyName(const ProgramGroup &group, MovedNames &moved) {
  for (const auto &program : group.programs)
    if (program->name() == group.own)
      return moved.of(group.own, program->_id(), group.own);
  return group.own;
}

/// Moves copies without a name, with their barriers, to the group of the step that gives the copies their name
/// (StepNames). Such a copy has the debug context of the program that contains the copy.
void placeCopies(const pva::Report &report, std::vector<ProgramGroup> &groups) {
  const StepNames names(report);
  std::map<std::size_t, std::size_t> groupOf; // by program
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const auto &program : groups[g].programs)
      groupOf.emplace(program->_id(), g);
  std::vector<std::vector<std::shared_ptr<pva::Program>>> placed(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<std::shared_ptr<pva::Program>> &programs = groups[g].programs;
    const bool around =
        std::any_of(programs.begin(), programs.end(), [](const auto &program) { return !program->children().empty(); });
    std::size_t after = g; // the group of the program after the current one
    for (auto at = programs.rbegin(); at != programs.rend(); ++at) {
      const std::size_t id = (*at)->_id();
      const std::size_t step = names.stepOf(id);
      const auto stands = groupOf.find(step);
      const bool copies = step != id && stands != groupOf.end();
      const bool before = at != programs.rbegin() && names.isBarrier(id) && (*std::prev(at))->_id() == id + 1;
      after = !around ? g : copies ? stands->second : before ? after : g;
      placed[after].push_back(*at);
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].programs = std::move(placed[g]);
    std::sort(groups[g].programs.begin(), groups[g].programs.end(),
              [](const auto &a, const auto &b) { return a->_id() < b->_id(); });
  }
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
      group.name = group.own = kindName(group.programs, moved);
    else if (isCompilersName(group.name))
      group.name = copyName(group, moved);
    groups.push_back(std::move(group));
  }
  placeCopies(report, groups);
  return groups;
}

/// Groups programs by layer, a prefix of their names (StepNames). All barriers form one group. Programs without a name
/// in StepNames belong to no layer. `parts`: the number of name components that identify a layer; 0 = layerParts
/// chooses this number.
std::vector<ProgramGroup> layerGroups(const pva::Report &report, std::size_t parts) {
  std::vector<std::shared_ptr<pva::Program>> programs;
  std::vector<std::string> names;
  const StepNames stepNames(report);
  for (const auto &program : allPrograms(report))
    if (std::string name = stepNames.of(program->_id()); !name.empty()) {
      programs.push_back(program);
      names.push_back(std::move(name));
    }
  const std::vector<std::string> layers = layersOf(
      names, [](const std::string &name) -> const std::string & { return name; }, parts);
  std::map<std::string, ProgramGroup> byLayer;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    ProgramGroup &group = byLayer[layers[i]];
    group.name = group.own = layers[i];
    group.programs.push_back(programs[i]);
  }
  std::vector<ProgramGroup> groups;
  for (auto &entry : byLayer)
    groups.push_back(std::move(entry.second));
  return groups;
}

/// Adds a group of the programs that take time or have code and are in no other group. With this group, the rows add up
/// to all steps except steps of control flow.
void addRest(const pva::Report &report, const char *name, std::vector<ProgramGroup> &groups) {
  std::set<std::size_t> placed;
  for (const ProgramGroup &group : groups)
    for (const auto &program : group.programs)
      placed.insert(program->_id());
  ProgramGroup rest{name, "", {}};
  for (const auto &program : allPrograms(report))
    if (placed.count(program->_id()) == 0 && stepCauseOf(*program) != StepCause::Control)
      rest.programs.push_back(program);
  groups.push_back(std::move(rest));
}

} // namespace

Table topComputeSets(const Request &request, const FlopColumns &flops) {
  const std::string by = measure(request, measuresOf(request, {"cycles"}, {"vertices", "flops"}), &flops);
  const StepTimes times = readTimes(request);
  const std::vector<bool> chosen = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  const std::uint64_t tiles = someTiles(request)
                                  ? static_cast<std::uint64_t>(std::count(chosen.begin(), chosen.end(), true))
                                  : tilesOf(request);
  MovedNames moved(request.report);
  std::map<std::int64_t, Sum> sums;
  for (const StepTime &step : times.steps)
    if (step.program->computeSet >= 0 && steps.contains(step.program->id) &&
        moved.matches(request.selection.name, *step.program))
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
               {"vertices", "Vertices", Unit::Vertices}}};
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
        moved.nameOf(*sum.program),
        sum.executions,
        knownOr(sum.cyclesKnown, sum.cycles),
        shareOr(sum.cyclesKnown, sum.cycles, times.cycles),
        shareOr(sum.known, sum.busy, tiles * sum.length),
        shareOr(sum.known && sum.threadsKnown && request.selection.everyTile(), sum.threads, sum.busy),
        count};
    FlopSum operations;
    operations.add(flops.ofSet(set), sum.executions);
    flops.addTo(row, operations, sum.known, sum.length, tiles);
    measured.addTo(row, measured.ofStep(sum.program->id, set));
    ranking.add(by == "vertices"  ? std::optional(count)
                : by == "flops"   ? operations.known() ? std::optional(operations.operations) : std::nullopt
                : sum.cyclesKnown ? std::optional(sum.cycles)
                                  : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

Table topSteps(const Request &request) {
  const std::string by = measure(request, measuresOf(request, {"cycles", "bytes"}, {"code"}));
  const StepTimes times = readTimes(request);
  const std::vector<bool> chosen = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  const std::uint64_t tiles = tilesOf(request);
  const std::map<std::size_t, Sum> sums = sumsByProgram(request, times, tiles);
  const bool ran = !times.runs.empty();
  StepPrograms programs;
  const MeasuredColumn measured(request.report);
  MovedNames movedNames(request.report);
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
               {"code", "Code", Unit::Bytes}}};
  measured.addTo(table);
  Ranking ranking(std::move(table));
  for (const auto &program : allPrograms(request.report)) {
    const StepProgramInfo &info = programs.of(*program);
    const auto sum = sums.find(info.id);
    if (!steps.contains(info.id) || !movedNames.matches(request.selection.name, info))
      continue;
    const std::uint64_t code = codeOn(*program, chosen);
    const Sum none, &s = sum == sums.end() ? none : sum->second;
    // As in the summary, the data is halved once, after the sum over the executions.
    const std::uint64_t sentAndReceived = someTiles(request) ? bothWaysOn(*program, chosen) * s.executions : s.bothWays;
    const std::uint64_t data = sentAndReceived / 2;
    const bool nothing = someTiles(request) ? s.known && s.busy == 0 && sentAndReceived == 0 : sum == sums.end();
    const bool cyclesKnown = ran && s.cyclesKnown;
    if (nothing && code == 0)
      continue;
    std::vector<Cell> row = {std::uint64_t(info.id),
                             movedNames.titleOf(info),
                             knownOr(ran, s.executions),
                             knownOr(cyclesKnown, s.cycles),
                             shareOr(cyclesKnown, s.cycles, times.cycles),
                             knownOr(ran, data),
                             code};
    measured.addTo(row, measured.ofStep(info.id, info.computeSet));
    ranking.add(by == "code"    ? std::optional(code)
                : by == "bytes" ? ran ? std::optional(data) : std::nullopt
                : cyclesKnown   ? std::optional(s.cycles)
                                : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

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
  addRest(request.report, byLayer ? "<no layer>" : "<no operation>", groups);
  const std::string by = measure(request, measuresOf(request, {"cycles"}, {"code", "flops"}), &flops);
  const StepTimes times = readTimes(request);
  const std::vector<bool> chosen = tileMask(request.report, request.selection);
  const StepChoice choice(request.report, request.selection);
  const std::uint64_t tiles = tilesOf(request);
  const std::map<std::size_t, Sum> sums = sumsByProgram(request, times, tiles);
  Table table{"operations",
              (byLayer ? "Layers by " : "Operations by ") + std::string(by == "code" ? "exchange code" : by),
              {{"name", "Name"},
               {"steps", "Steps"},
               {"cycles", "Cycles", Unit::Cycles},
               {"share", "Of all", Unit::Percent},
               {"code", "Code", Unit::Bytes},
               {"place", "Source"}}};
  flops.addSumTo(table);
  Ranking ranking(std::move(table));
  for (const ProgramGroup &group : groups) {
    if (!wanted(request, group.name) && !wanted(request, group.own))
      continue;
    std::uint64_t steps = 0, cycles = 0, code = 0;
    bool known = !times.runs.empty(), there = request.selection.everyTile();
    FlopSum done;
    for (const auto &program : group.programs) {
      if (!choice.contains(program->_id()))
        continue;
      const std::uint64_t codeHere = codeOn(*program, chosen);
      const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(program.get());
      there = there || codeHere != 0 || bothWaysOn(*program, chosen) != 0;
      for (const auto &of :
           execute == nullptr || there ? pva::List<pva::VertexInstances>() : execute->computeset().vertices())
        there = there || sumOn(of.countByTile(), chosen) != 0;
      ++steps;
      code += codeHere;
      if (const auto sum = sums.find(program->_id()); sum != sums.end()) {
        cycles += sum->second.cycles;
        there = there || (someTiles(request) && sum->second.busy != 0);
        known = known && sum->second.cyclesKnown;
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

} // namespace popscope::top
