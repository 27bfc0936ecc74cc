#include "report/answers/TopTables.hpp"

#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace popscope::top {

std::string measure(const Request &request, std::vector<std::string> has, const FlopColumns *flops) {
  const std::string asked = request.options.at("by");
  if (flops != nullptr && flops->empty()) {
    has.erase(std::remove(has.begin(), has.end(), "flops"), has.end());
    if (asked == "flops")
      throw AnswerError("--by flops: " + flops->whyNone() + "; give " + has.front());
  }
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

bool wanted(const Request &request, const std::string &name) {
  return request.selection.name.empty() || nameMatches(request.selection.name, name);
}

std::vector<std::string> measuresOf(const Request &request, std::vector<std::string> recorded,
                                    const std::vector<std::string> &always) {
  if (request.report.execution().runs().empty())
    recorded.clear();
  recorded.insert(recorded.end(), always.begin(), always.end());
  return recorded;
}

namespace {

/// Returns the vertex types of the steps that --steps and --runs select, or no value if these flags do not restrict the
/// steps.
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

} // namespace

Table topVertexTypes(const Request &request, const FlopColumns &flops) {
  const bool everywhere = request.selection.everyTile();
  const std::string by =
      everywhere ? measure(request, measuresOf(request, {"cycles"}, {"bytes", "code", "vertices", "flops"}), &flops)
                 : measure(request, {"bytes", "code", "vertices"}, &flops); // the cycles are sums over all tiles
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
  std::uint64_t all = 0;
  const bool recorded = request.report.execution().runs().size() != 0;
  const auto add = [&](const pva::VertexTypeCycles &v) {
    if (v.known) {
      types[v.type._id()].cycles += v.cycles;
      all += v.cycles;
    } else
      ++types[v.type._id()].unknown;
  };
  if (request.selection.everyStep()) {
    for (const auto &v : request.report.execution().vertexTypes())
      add(v);
  } else {
    StepPrograms programs;
    eachVertexTypes(request.report, request.selection, programs, [&](std::size_t, const auto &, const auto &executed) {
      for (const pva::VertexTypeCycles &v : executed)
        add(v);
    });
  }
  if (recorded && !flops.empty()) {
    StepTimes times = readStepTimes(request.report, request.selection);
    std::map<std::int64_t, std::uint64_t> executions; // by compute set
    const NumberSet steps = selectedSteps(request.selection);
    for (const StepTime &step : times.steps)
      if (steps.contains(step.program->id))
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
               {"code", "Code", Unit::Bytes}}};
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

Table topVertices(const Request &request, const pva::List<pva::VertexExecution> &vertices) {
  (void)measure(request, {"cycles"});
  const bool everywhere = request.selection.everyTile();
  std::vector<bool> chosen;
  if (!everywhere)
    chosen = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  MovedNames moved(request.report);
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
                    {"operands", "Operands"}}});
  for (const pva::VertexExecution &v : vertices) {
    if ((!everywhere && (v.tile >= chosen.size() || !chosen[v.tile])) || sets.count(v.computeSet._id()) == 0)
      continue;
    if (moved.matches(request.selection.name, v.computeSet) || wanted(request, v.type.name()))
      ranking.add(
          v.known ? std::optional(v.cycles) : std::nullopt,
          {moved.nameOf(v.computeSet), std::uint64_t(v.tile), v.type.name(), knownOr(v.known, v.cycles), v.operands});
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

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
        {"alwaysLive", "Always live"}}});
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

Table topTiles(const Request &request) {
  const std::string by = request.report.execution().runs().empty() ? measure(request, {"bytes", "code"})
                                                                   : measure(request, {"bytes", "cycles", "code"});
  const std::uint64_t memory = request.report.compilation().target().bytesPerTile();
  TileWork busy;
  if (by == "cycles") {
    busy.cycles.resize(tileCount(request.report));
    for (const auto &[cause, work] : readTileWork(request.report, request.selection)) {
      busy.known = busy.known && work.known;
      for (std::size_t tile = 0; tile < busy.cycles.size(); ++tile)
        busy.cycles[tile] += work.cycles[tile];
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
                   columns});
  const auto tiles = request.report.compilation().tiles();
  for (const std::size_t tile : selectedTiles(request.report, request.selection)) {
    const pva::TileMemory m = tiles[tile].memory();
    const std::uint64_t used = m.total().excludingGaps(), vertex = m.category().vertexCode().total(),
                        exchange = m.category().internalExchangeCode().total() +
                                   m.category().globalExchangeCode().total() + m.category().hostExchangeCode().total();
    std::vector<Cell> row = {std::uint64_t(tile),
                             used,
                             Share{used, memory}, // more than 100 % on a tile out of memory
                             used > memory ? std::uint64_t(0) : memory - used,
                             vertex,
                             exchange};
    if (by == "cycles")
      row.push_back(knownOr(busy.known, busy.cycles[tile]));
    ranking.add(by == "bytes"  ? std::optional(used)
                : by == "code" ? std::optional(vertex + exchange)
                : busy.known   ? std::optional(busy.cycles[tile])
                               : std::nullopt,
                std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualTopRows));
}

} // namespace popscope::top
