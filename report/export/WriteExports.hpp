// Writes exports as files. If one of the files would replace an older file, a call without `overwrite` writes no file
// at all. Each file is complete or absent.
#pragma once
#include "report/export/Formats.hpp"

#include <ctime>

namespace popscope {

struct ExportTarget {
  std::string path; // the value of -o; "" = <profile>_export next to the profile
  bool overwrite = false;
  std::uint64_t maxBytes = 0;      // maximum size of all files together; 0 stands for no limit
  std::string layout = "flat";     // "flat", or "msprof" for msprof's names of folders and files, which contain `time`
  std::string time;                // "20240229103059"
  std::string where = "--format "; // stands before the names of formats in messages
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

/// Returns the files with their paths. With the layout "flat", a single file is written to `path` itself if `path` is
/// not empty, is not a folder and does not end with '/'. In all other cases, this layout puts the files into the folder
/// `path` or, if `path` is empty, into <profile>_export next to the profile. With the layout "msprof", the files are in
/// a new subfolder of `path`. Throws AnswerError if the profile lacks data that one of the formats needs. Also throws
/// AnswerError if the layout is "msprof" and `path` is "-".
[[nodiscard]] std::vector<PlannedFile>
planExports(const ExportRequest &request, const std::vector<const FormatRow *> &formats, const ExportTarget &target);
/// Throws AnswerError if the estimated size of all files exceeds maxBytes.
void checkSize(const std::vector<PlannedFile> &plan, const ExportTarget &target);
/// Writes the files. Throws AnswerError if `overwrite` is false and one of the files exists. Also throws AnswerError if
/// the estimated size exceeds maxBytes or the free space on the disk. In all these cases, writes nothing. Throws
/// std::runtime_error if a file cannot be written; the message names the file or its folder. Files that were written
/// before this error remain.
std::vector<WrittenFile> writeExports(const std::vector<PlannedFile> &plan, const ExportTarget &target);

/// The meaning of a name in --format, or in the key "formats" of a configuration: one format, or "msprof" for the
/// formats csv and chrome in Ascend's layout.
struct NamedExport {
  std::vector<const FormatRow *> formats;
  std::string layout = "flat"; // as ExportTarget::layout
};
/// Returns the formats and the layout of a name. Throws AnswerError for an unknown name. The message begins with
/// `where`, which is the option or key whose value is `name`.
[[nodiscard]] NamedExport exportNamed(const std::string &name, const std::string &where = "--format");
/// Returns a time in the form of ExportTarget::time, in UTC: "20240229103059".
[[nodiscard]] std::string exportTime(std::time_t seconds);
/// Returns the present time, or that of SOURCE_DATE_EPOCH, in the form of ExportTarget::time.
[[nodiscard]] std::string exportTimeNow();

} // namespace popscope
