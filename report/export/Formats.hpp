// The formats of popscope export, one FormatRow each. The command line and its help are generated from these rows.
#pragma once
#include "report/export/CsvSet.hpp"

#include <functional>

namespace popscope {

struct ExportRequest {
  pva::Report report;
  std::string profile; // the path as the user wrote it
  CsvOptions options;  // the selection, the maximum number of events, and options of single formats
};
struct ExportFile {
  std::string name;       // path in the folder: "chrome_timeline.json", "csv/op_summary.csv"
  std::uint64_t estimate; // approximate size in bytes
  std::function<TimelineResult(std::ostream &out)> write;
};
struct FormatRow {
  const char *name, *help;
  /// Returns the files that the format writes for this profile. The request must outlive the returned objects. Throws
  /// AnswerError if the profile lacks data that the format needs.
  std::vector<ExportFile> (*files)(const ExportRequest &request);
};
[[nodiscard]] const std::vector<FormatRow> &exportFormats();
/// The name that selects the formats csv and chrome together, in Ascend's layout of files and folders (exportNamed).
inline constexpr const char *kMsprof = "msprof";
/// Returns the format. Throws AnswerError if there is no such format. `where` is the option or key whose value is
/// `name`. The message begins with `where`, lists the names that exportNamed() accepts, and suggests the nearest of
/// these names.
[[nodiscard]] const FormatRow &exportFormat(const std::string &name, const std::string &where = "--format");

} // namespace popscope
