#include "report/summary/InfoView.hpp"

#include "report/summary/Format.hpp"

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

} // namespace popscope
