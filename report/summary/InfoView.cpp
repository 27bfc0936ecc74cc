#include "report/summary/InfoView.hpp"

#include "report/summary/Format.hpp"

#include <nlohmann/json.hpp>

namespace popscope {

InfoRows collectInfo(const pva::Report &report) {
  InfoRows rows;
  rows.writer = report.poplarVersion().string();
  rows.format = report.version().majorVer();
  rows.complete = report.popscope().complete();
  rows.target = collectTarget(report);
  rows.graph = collectGraph(report);
  for (const auto &run : report.execution().runs())
    rows.runs.push_back({run.name(), run.steps().size(), run.totalCycles().total(), run.complete()});
  return rows;
}

void printText(std::ostream &out, const InfoRows &rows, const Style &style) {
  out << "Profile: written by " << rows.writer << ", format " << rows.format << ", "
      << (rows.complete ? "complete" : "not completed") << "\n\n";
  printText(out, rows.target, style);
  out << "\n";
  printText(out, rows.graph, style);
  out << "\nRuns: " << commas(rows.runs.size()) << "\n";
  for (const auto &run : rows.runs)
    out << "  " << (run.name.empty() ? "<anonymous>" : run.name) << ": " << commas(run.steps) << " steps, "
        << (run.complete ? commas(run.cycles) + " cycles" : "not completed") << "\n";
}

std::string toJson(const InfoRows &rows) {
  using Json = nlohmann::ordered_json;
  Json json = {{"writer", rows.writer}, {"format", rows.format}, {"complete", rows.complete}};
  json["target"] = json["graph"] = Json::object();
  for (const auto &[label, text] : rows.target.rows)
    json["target"][label] = text;
  for (const auto &[label, count] : rows.graph.rows)
    json["graph"][label] = count;
  json["runs"] = Json::array();
  for (const auto &run : rows.runs)
    json["runs"].push_back({{"name", run.name},
                            {"steps", run.steps},
                            {"cycles", run.complete ? Json(run.cycles) : Json(nullptr)},
                            {"complete", run.complete}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace popscope
