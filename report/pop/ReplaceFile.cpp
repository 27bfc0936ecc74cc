#include "report/pop/ReplaceFile.hpp"

#include "base/FileSizeSignal.hpp"
#include "base/WholeFile.hpp"
#include "report/pop/PopReader.hpp"

#include <chrono>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace popscope {

std::string createTemporary(const std::string &path) {
  try {
    return createBeside(path, kTemporaryPrefix, kTemporarySuffix);
  } catch (const std::system_error &e) {
    throw StorageError(path, "cannot be written: " + e.code().message());
  }
}

namespace {

constexpr std::chrono::hours kLeftoversStay(24 * 30);

/// Returns whether a profile is marked as incomplete.
bool isUnfinished(const std::string &path) {
  try {
    return !readMeta(*openPop(path)).complete;
  } catch (const ProfileError &) { // not readable at all
    return true;
  }
}

} // namespace

void removeOldLeftovers(const std::string &path) noexcept {
  namespace fs = std::filesystem;
  try {
    const fs::path folder = fs::path(path).parent_path();
    std::vector<std::string> old;
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string();
      struct stat about {};
      if ((isTemporaryName(name) || isPartName(name)) && ::lstat(at->path().c_str(), &about) == 0 &&
          S_ISREG(about.st_mode) && about.st_uid == ::geteuid() &&
          now - fs::last_write_time(at->path()) > kLeftoversStay)
        old.push_back(at->path().string());
    }
    for (const std::string &one : old)
      if (isPartName(one) || isUnfinished(one))
        removeBeside(one);
  } catch (const std::exception &) { // another process may have been first
  }
}

void replaceFile(const std::string &temporary, const std::string &path) {
  try {
    moveIntoPlace(temporary, path);
  } catch (const std::system_error &e) {
    throw StorageError(path, "cannot be written: " + e.code().message() + "; the profile is in " + temporary);
  }
}

void copyToFile(PopFile &file, const std::string &path, const std::string &sql) {
  const FileSizeSignal quiet;
  const std::string temporary = createTemporary(path);
  try {
    file.copyInto(temporary);
    PopFile copy(temporary, PopFile::Mode::Write);
    copy.execute("PRAGMA journal_mode = DELETE; " + sql);
  } catch (...) {
    removeBeside(temporary);
    throw;
  }
  replaceFile(temporary, path);
}

} // namespace popscope
