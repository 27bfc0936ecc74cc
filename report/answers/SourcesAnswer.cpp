#include "report/answers/SourcesAnswer.hpp"

#include "report/answers/Ranking.hpp"

#include <map>

namespace popscope {

Rows collectSourcesAnswer(const Request &request) {
  Rows rows;
  rows.view = "sources";
  Table table{"sources",
              "Where the cycles of vertices came from",
              {{"computeSet", "Compute set"},
               {"vertexType", "Vertex type"},
               {"source", "Source"},
               {"vertices", "Vertices", Unit::Vertices},
               {"reason", "Why"}},
              {}};
  const std::size_t most = request.selection.countOr(~std::size_t(0));
  std::map<std::string, std::uint64_t> bySource;
  bool any = false;
  for (const auto &set : request.report.compilation().computeSets()) {
    const std::string name = nameOr(set.name());
    const bool wanted = request.selection.name.empty() || nameMatches(request.selection.name, name);
    for (const pva::CycleSource &source : set.cycleSources()) {
      any = true;
      if (!wanted)
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
    rows.lines.emplace_back("No sources of cycles were recorded: run the program with profiling.");
  std::uint64_t all = 0;
  for (const auto &entry : bySource)
    all += entry.second;
  rows.fact("vertices", all, Unit::Vertices);
  rows.fact("verticesWithoutCycles", bySource.count("") == 0 ? 0 : bySource[""], Unit::Vertices);
  if (any) {
    rows.tables.push_back(std::move(table));
    rows.notes.emplace_back("vertices: the most in one execution of the compute set");
  }
  return rows;
}

} // namespace popscope
