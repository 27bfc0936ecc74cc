// The formats of popscope export: one row each. The row drives the command line, its help and docs/EXPORT.md.
#pragma once
#include "report/export/CsvSet.hpp"

#include <functional>

namespace popscope {

struct ExportRequest {
  pva::Report report;
  std::string profile; // as the user wrote it
  CsvOptions options;  // which runs, steps, tiles; how many events
};
struct ExportFile {
  std::string name;       // in the folder: "chrome_timeline.json", "csv/op_summary.csv"
  std::uint64_t estimate; // bytes, roughly
  std::function<TimelineResult(std::ostream &out)> write;
};
struct FormatRow {
  const char *name, *help;
  /// What it writes of this profile; the request must outlive them. Throws AnswerError when the profile lacks what it
  /// needs.
  std::vector<ExportFile> (*files)(const ExportRequest &request);
};
[[nodiscard]] const std::vector<FormatRow> &exportFormats();
/// Throws AnswerError that names the nearest one.
[[nodiscard]] const FormatRow &exportFormat(const std::string &name);

} // namespace popscope
