#include "report/export/WriteExports.hpp"

#include "base/Environment.hpp"
#include "base/ReadNumber.hpp"
#include "base/WholeFile.hpp"
#include "report/summary/Format.hpp"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <stdexcept>
#include <system_error>

namespace popscope {
namespace {

namespace fs = std::filesystem;

std::string folderOf(const ExportRequest &request, const ExportTarget &target) {
  if (!target.path.empty())
    return target.path;
  const fs::path profile(request.profile);
  return (profile.parent_path() / (profile.stem().string() + "_export")).string();
}

/// Returns the name of a file in msprof's layout. In this layout, tables and the timeline lie in a separate folder, and
/// their names contain the time.
std::string msprofName(const std::string &name, const std::string &time) {
  const std::string output = "mindstudio_profiler_output/";
  if (name == "chrome_timeline.json")
    return output + "msprof_" + time + ".json";
  if (name == "csv/README.txt")
    return output + "README.txt";
  const fs::path path(name);
  return path.parent_path() == "csv" ? output + path.stem().string() + "_" + time + path.extension().string() : name;
}

/// Returns "PROF_000002_20240229103059_POPSCOPE", with the first number that `folder` does not contain.
std::string msprofFolder(const std::string &folder, const std::string &time) {
  constexpr int kLastNumber = 999999;
  std::set<std::string> taken;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    taken.insert(entry.path().filename().string().substr(0, std::string("PROF_000000").size()));
  for (int number = 1; number <= kLastNumber; ++number)
    if (const std::string name = fmt::format("PROF_{:06}", number); taken.count(name) == 0)
      return name + "_" + time + "_POPSCOPE";
  throw AnswerError(folder + " has results from PROF_000001 to PROF_999999; choose another folder with -o");
}

std::uint64_t estimateOf(const std::vector<PlannedFile> &plan) {
  std::uint64_t estimate = 0;
  for (const PlannedFile &file : plan)
    estimate += file.file.estimate;
  return estimate;
}

void checkRoom(const std::vector<PlannedFile> &plan) {
  const std::uint64_t estimate = estimateOf(plan);
  std::error_code error;
  fs::path place = fs::absolute(plan.front().path, error).parent_path();
  while (!fs::exists(place, error) && place.has_parent_path() && place != place.parent_path())
    place = place.parent_path();
  const fs::space_info space = fs::space(place, error);
  if (!error && space.capacity != 0 && space.available < estimate)
    throw AnswerError("the files would take about " + binarySize(estimate) + ", and " + place.string() +
                      " has room for " + binarySize(space.available));
}

[[noreturn]] void cannotBeWritten(const std::string &path, const std::system_error &e) {
  if (e.code() == std::errc::file_exists)
    throw std::runtime_error(path + " exists already; give --overwrite to replace it");
  throw std::runtime_error(path + ": cannot be written: " + e.code().message());
}

WrittenFile writeFile(const PlannedFile &file, bool overwrite) {
  WrittenFile written;
  written.path = file.path;
  std::vector<fs::path> made; // created folders, the innermost first; removed again if the file is refused
  std::error_code error;
  for (fs::path folder = fs::path(file.path).parent_path(); !folder.empty() && !fs::exists(folder, error);
       folder = folder.parent_path())
    made.push_back(folder);
  try {
    if (const fs::path folder = fs::path(file.path).parent_path(); !folder.empty()) {
      fs::create_directories(folder, error);
      if (error)
        throw std::runtime_error(folder.string() + ": the folder cannot be created: " + error.message());
    }
    NewFile out(file.path);
    written.result = file.file.write(out.stream());
    written.bytes = out.bytes();
    out.publish(overwrite); // never overwrites a file unless requested
  } catch (...) {
    std::error_code ignored;
    for (const fs::path &folder : made)
      fs::remove(folder, ignored); // a folder that is not empty stays
    try {
      throw;
    } catch (const std::system_error &e) {
      cannotBeWritten(file.path, e);
    }
  }
  return written;
}

/// Returns the message for formats that cannot be written. `where`: as ExportTarget::where. `others`: whether the other
/// requested formats can be written.
std::string refusalOf(const std::map<std::string, std::string> &refused, const std::string &where, bool others) {
  std::string all;
  for (const auto &[reason, names] : refused)
    all += (all.empty() ? "" : "; ") + where + names + ": " + reason;
  return all + (others ? " The other formats can be written; nothing was written." : "");
}

} // namespace

void checkSize(const std::vector<PlannedFile> &plan, const ExportTarget &target) {
  const std::uint64_t estimate = estimateOf(plan);
  if (target.maxBytes != 0 && estimate > target.maxBytes)
    throw AnswerError(
        "the files would take about " + commas(estimate) + " bytes, more than --max-bytes " +
        std::to_string(target.maxBytes) +
        "; choose fewer with --runs, --steps, --tiles or --max-events, or give a larger --max-bytes (0 = no limit)");
}

std::vector<PlannedFile> planExports(const ExportRequest &request, const std::vector<const FormatRow *> &formats,
                                     const ExportTarget &target) {
  std::vector<PlannedFile> plan;
  const bool msprof = target.layout == "msprof";
  if (msprof && target.path == "-")
    throw AnswerError("-o -: --layout msprof writes a folder; give a folder to -o, or leave out --layout");
  std::string folder = folderOf(request, target);
  if (msprof)
    folder = (fs::path(folder) / msprofFolder(folder, target.time)).string();
  std::map<std::string, std::string> refused; // formats by the reason why they cannot be written
  for (const FormatRow *format : formats)
    try {
      for (ExportFile &file : format->files(request)) {
        const std::string path =
            (fs::path(folder) / (msprof ? msprofName(file.name, target.time) : file.name)).string();
        plan.push_back({path, format, std::move(file)});
      }
    } catch (const AnswerError &e) {
      std::string &names = refused[e.what()];
      names += (names.empty() ? "" : ",") + std::string(format->name);
    }
  if (!refused.empty())
    throw AnswerError(refusalOf(refused, target.where, !plan.empty()));
  std::error_code error;
  const bool asFile = !msprof && plan.size() == 1 && !target.path.empty() && target.path.back() != '/' &&
                      !fs::is_directory(target.path, error);
  if (asFile)
    plan.front().path = target.path;
  for (const PlannedFile &file : plan)
    checkOutputIsNoInput(file.path, std::array{request.profile, request.options.timeline.pvti});
  return plan;
}

NamedExport exportNamed(const std::string &name, const std::string &where) {
  if (name == kMsprof)
    return {{&exportFormat("csv"), &exportFormat("chrome")}, kMsprof};
  return {{&exportFormat(name, where)}, "flat"};
}

std::string exportTime(std::time_t seconds) {
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d%H%M%S", &parts);
  return text;
}

std::string exportTimeNow() {
  const auto epoch = readWhole(environmentVariable("SOURCE_DATE_EPOCH").value_or(""), {0, std::uint64_t(1) << 40U});
  return exportTime(epoch ? static_cast<std::time_t>(*epoch) : std::time(nullptr));
}

std::vector<WrittenFile> writeExports(const std::vector<PlannedFile> &plan, const ExportTarget &target) {
  if (plan.empty())
    return {};
  std::error_code error; // ignored: if a path cannot be read, writing it fails with the reason
  if (!target.overwrite)
    for (const PlannedFile &file : plan)
      if (fs::exists(fs::symlink_status(file.path, error)))
        throw AnswerError(
            file.path +
            " exists already; nothing was written. Give --overwrite to replace it, or another path with -o");
  checkSize(plan, target);
  checkRoom(plan);
  std::vector<WrittenFile> written;
  for (const PlannedFile &file : plan)
    written.push_back(writeFile(file, target.overwrite));
  return written;
}

} // namespace popscope
