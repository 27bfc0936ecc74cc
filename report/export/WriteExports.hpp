// Exports as files: all files of one call, or none if they would replace an older result. Each file is complete or
// missing.
#pragma once
#include "report/export/Formats.hpp"

#include <ctime>

namespace popscope {

struct ExportTarget {
  std::string path; // -o; "" = <profile>_export next to the profile
  bool overwrite = false;
  std::uint64_t maxBytes = 0;  // 0 = no limit
  std::string layout = "flat"; // "flat", or "msprof": msprof's names of folders and files, with `time`
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

/// Returns the path of each file: `path` itself if one format that writes one file is requested and `path` is no folder
/// and does not end with '/'. In other cases the files are in the folder `path`.
[[nodiscard]] std::vector<PlannedFile>
planExports(const ExportRequest &request, const std::vector<const FormatRow *> &formats, const ExportTarget &target);
/// Writes the files. Throws AnswerError, and writes nothing, if one of the files exists (without overwrite), or if the
/// estimate exceeds maxBytes or the space on the disk. Throws std::runtime_error, which names a file that cannot be
/// written; earlier files stay.
std::vector<WrittenFile> writeExports(const std::vector<PlannedFile> &plan, const ExportTarget &target);

/// The meaning of a name in --format and "formats": a format, or "msprof", Ascend's layout with its tables and trace.
struct NamedExport {
  std::vector<const FormatRow *> formats;
  std::string layout = "flat"; // as ExportTarget::layout
};
/// Returns the format. Throws AnswerError for an unknown name.
[[nodiscard]] NamedExport exportNamed(const std::string &name);
/// Returns ExportTarget::time in UTC: "20240229103059".
[[nodiscard]] std::string exportTime(std::time_t seconds);

} // namespace popscope
