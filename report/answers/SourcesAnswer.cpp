#include "report/answers/SourcesAnswer.hpp"

#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/summary/WhyNoRun.hpp"

#include <map>
#include <set>

namespace popscope {
namespace {

/// Returns the compute sets that the selected steps execute.
std::set<std::size_t> setsOf(const Request &request) {
  const StepChoice steps(request.report, request.selection);
  std::set<std::size_t> sets;
  for (const auto &program : allPrograms(request.report))
    if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(program.get());
        execute != nullptr && steps.contains(program->_id()))
      sets.insert(execute->computeset()._id());
  return sets;
}

/// Returns the vertex types of the compute set that have a vertex on a selected tile.
std::set<std::size_t> typesOn(const std::vector<bool> &tiles, const pva::ComputeSet &set) {
  std::set<std::size_t> types;
  for (const pva::VertexInstances &of : set.vertices()) {
    const pva::Values counts = of.countByTile();
    for (std::size_t tile = 0; tile < std::min(counts.size(), tiles.size()); ++tile)
      if (tiles[tile] && counts[tile] != 0)
        types.insert(of.type()._id());
  }
  return types;
}

/// Returns why the profile has no sources of cycles, to follow "No sources of cycles were recorded".
std::string whyNone(const pva::Report &report) {
  const auto runs = report.execution().runs();
  if (report.compilation().graph().numVertices() == 0)
    return ": the program has no vertices.";
  if (runs.empty())
    return ", because no run was recorded. " + whyNoRun(report);
  if (!report.execution().totalCycles().known())
    return ", because no recorded run ended.";
  for (const pva::Run &run : runs)
    for (const auto &step : run.steps())
      if (!step.computeSets().empty())
        return ": run the program with profiling.";
  return ": no recorded run executed a vertex.";
}

} // namespace

// Lists the sources of cycles by compute set and vertex type within the selection. Also lists the reasons why sources
// are missing.
Rows collectSourcesAnswer(const Request &request) {
  Rows rows("sources");
  Table table{"sources",
              "Where the cycles of vertices came from",
              {{"computeSet", "Compute set"},
               {"vertexType", "Vertex type"},
               {"source", "Source"},
               {"vertices", "Vertices", Unit::Vertices},
               {"reason", "Why"}}};
  const std::size_t most = request.selection.countOr(~std::size_t(0));
  std::map<std::string, std::uint64_t> bySource;
  bool any = false;
  const bool everyStep = request.selection.everyStep(), everyTile = request.selection.everyTile();
  const std::set<std::size_t> sets = everyStep ? std::set<std::size_t>() : setsOf(request);
  MovedNames names(request.report);
  const std::vector<bool> tiles = tileMask(request.report, request.selection);
  for (const auto &set : request.report.compilation().computeSets()) {
    const bool wanted = names.matches(request.selection.name, set) && (everyStep || sets.count(set._id()) != 0);
    const std::string name = wanted ? names.nameOf(set) : "";
    const std::set<std::size_t> types = everyTile || !wanted ? std::set<std::size_t>() : typesOn(tiles, set);
    for (const pva::CycleSource &source : set.cycleSources()) {
      any = true;
      if (!wanted || (!everyTile && types.count(source.type._id()) == 0))
        continue;
      bySource[source.source] += source.vertices;
      if (table.rows.size() >= most) {
        ++table.more;
        continue;
      }
      table.rows.push_back({name, source.type.name(), source.source.empty() ? Cell(Unknown()) : Cell(source.source),
                            source.vertices, source.reason.substr(0, source.reason.find('\n'))});
    }
  }
  if (!any)
    rows.lines.push_back("No sources of cycles were recorded" + whyNone(request.report));
  std::uint64_t all = 0;
  for (const auto &entry : bySource)
    all += entry.second;
  if (any)
    suggest(rows, request, "top", "--of vertex-types");
  else
    suggest(rows, request, "info");
  if (bySource.count("") != 0)
    suggest(rows, request, "sources", "--csv");
  rows.fact("vertices", all, Unit::Vertices);
  rows.fact("verticesWithoutCycles", bySource.count("") == 0 ? 0 : bySource[""], Unit::Vertices);
  if (any) {
    rows.tables.push_back(std::move(table));
    rows.notes.emplace_back("\"Vertices\" is the largest number of these vertices in one execution of the compute set");
  }
  return rows;
}

} // namespace popscope
