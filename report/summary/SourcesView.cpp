#include "report/summary/SourcesView.hpp"

#include "report/summary/Format.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace popscope {

SourceRows collectSources(const pva::Report &report) {
  SourceRows rows;
  for (const auto &set : report.compilation().computeSets())
    for (const pva::CycleSource &source : set.cycleSources())
      rows.rows.push_back({set.name().empty() ? "<anonymous>" : set.name(), source.type.name(),
                           source.source.empty() ? "unknown" : source.source,
                           source.reason.substr(0, source.reason.find('\n')), source.vertices});
  return rows;
}

void printText(std::ostream &out, const SourceRows &rows, const Style &style) {
  if (rows.rows.empty()) {
    out << "No sources of cycles were recorded: run the program with profiling.\n";
    return;
  }
  std::size_t set = 11, type = 11;
  for (const SourceRow &row : rows.rows) {
    set = std::max(set, row.computeSet.size());
    type = std::max(type, row.vertexType.size());
  }
  const auto line = [&](const std::string &a, const std::string &b, const std::string &c, const std::string &d) {
    return padRight(a, set + 2) + padRight(b, type + 2) + padRight(c, 10) + alignRight(d, 12);
  };
  out << style.part(line("Compute set", "Vertex type", "Source", "Vertices")) << "\n";
  for (const SourceRow &row : rows.rows)
    out << line(row.computeSet, row.vertexType, row.source, commas(row.vertices))
        << (row.reason.empty() ? "" : "  " + row.reason) << "\n";
}

void printJson(std::ostream &out, const SourceRows &rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const SourceRow &row : rows.rows)
    all.push_back(
        {{"computeSet", row.computeSet},
         {"vertexType", row.vertexType},
         {"source", row.source == "unknown" ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(row.source)},
         {"vertices", row.vertices},
         {"reason", row.reason}});
  const nlohmann::ordered_json document = {{"sources", all}};
  out << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
}

} // namespace popscope
