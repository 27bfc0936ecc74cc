// Exports as files: all of one call or none over an older result, each complete under its name or not there.
#pragma once
#include "report/export/Formats.hpp"

#include <ctime>

namespace popscope {

struct ExportTarget {
  std::string path; // -o; "" = <profile>_export beside the profile
  bool overwrite = false;
  std::uint64_t maxBytes = 0;  // 0 = no limit
  std::string layout = "flat"; // or "msprof": folders and files as that tool names them, with `time`
  std::string time;            // "20240229103059"
};
struct PlannedFile {
  std::string path;
  const FormatRow *format;
  ExportFile file;
};
struct WrittenFile {
  std::string path;
  std::uint64_t bytes = 0;
  TimelineResult result;
};

/// Where each file goes: `path` itself if one format that writes one file is asked for and `path` is no folder and does
/// not end with '/'; else names in the folder `path`.
[[nodiscard]] std::vector<PlannedFile>
planExports(const ExportRequest &request, const std::vector<const FormatRow *> &formats, const ExportTarget &target);
/// Throws AnswerError, and writes nothing, if one of the files is there (without overwrite), or the estimate is beyond
/// maxBytes or the room on the disk. Throws std::runtime_error that names a file that cannot be written; earlier ones
/// stay.
std::vector<WrittenFile> writeExports(const std::vector<PlannedFile> &plan, const ExportTarget &target);

/// What --format and "formats" name: a format, or "msprof", Ascend's layout with the tables and the trace in it.
struct NamedExport {
  std::vector<const FormatRow *> formats;
  std::string layout = "flat"; // as ExportTarget::layout
};
/// Throws AnswerError for a name that there is not.
[[nodiscard]] NamedExport exportNamed(const std::string &name);
/// "20240229103059", in UTC: ExportTarget::time.
[[nodiscard]] std::string exportTime(std::time_t seconds);

} // namespace popscope
