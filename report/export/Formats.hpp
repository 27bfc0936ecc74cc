// The formats of popscope export, one row each. The command line, its help and docs/EXPORT.md come from these rows.
#pragma once
#include "report/export/CsvSet.hpp"

#include <functional>

namespace popscope {

struct ExportRequest {
  pva::Report report;
  std::string profile; // the path as the user wrote it
  CsvOptions options;  // runs, steps, tiles and number of events
};
struct ExportFile {
  std::string name;       // path in the folder: "chrome_timeline.json", "csv/op_summary.csv"
  std::uint64_t estimate; // in bytes, approximate
  std::function<TimelineResult(std::ostream &out)> write;
};
struct FormatRow {
  const char *name, *help;
  /// Returns the files for this profile; the request must outlive them. Throws AnswerError if the profile lacks what
  /// the format needs.
  std::vector<ExportFile> (*files)(const ExportRequest &request);
};
[[nodiscard]] const std::vector<FormatRow> &exportFormats();
/// Returns the format. Throws AnswerError, which names the nearest one.
[[nodiscard]] const FormatRow &exportFormat(const std::string &name);

} // namespace popscope
