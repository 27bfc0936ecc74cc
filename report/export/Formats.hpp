// The formats of popscope export, one FormatRow each. The command line, its help and docs/EXPORT.md are generated from
// these rows.
#pragma once
#include "report/export/CsvSet.hpp"

#include <functional>

namespace popscope {

struct ExportRequest {
  pva::Report report;
  std::string profile; // the path as the user wrote it
  CsvOptions options;  // selected runs, steps and tiles, and the maximum number of events
};
struct ExportFile {
  std::string name;       // path in the folder: "chrome_timeline.json", "csv/op_summary.csv"
  std::uint64_t estimate; // approximate size in bytes
  std::function<TimelineResult(std::ostream &out)> write;
};
struct FormatRow {
  const char *name, *help;
  /// Returns the files that the format writes for this profile. The request must outlive the files. Throws AnswerError
  /// if the profile lacks data that the format needs.
  std::vector<ExportFile> (*files)(const ExportRequest &request);
};
[[nodiscard]] const std::vector<FormatRow> &exportFormats();
/// Returns the format. Throws AnswerError if there is no such format; the message suggests the nearest name.
[[nodiscard]] const FormatRow &exportFormat(const std::string &name);

} // namespace popscope
