#include "report/pop/ReplaceFile.hpp"

#include "base/FileSizeSignal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <unistd.h>

namespace popscope {
namespace {

[[noreturn]] void failWriting(const std::string &path, const std::string &more = "") {
  throw StorageError(path, std::string("cannot be written: ") + std::strerror(errno) + more);
}

/// A folder that cannot be opened or synced (some file systems) loses nothing but the promise about power cuts.
void syncPath(const std::string &path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0)
    return;
  (void)::fsync(fd);
  ::close(fd);
}

} // namespace

std::string createTemporary(const std::string &path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name = (folder / fmt::format("profile_{:08x}.pop", random())).string();
    const int fd = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0) {
      ::close(fd);
      return name;
    }
    if (errno != EEXIST)
      failWriting(path);
  }
  throw ProfileError(path + ": no free temporary name beside it");
}

void removeTemporary(const std::string &temporary) {
  for (const char *of : {"", "-wal", "-shm", "-journal"}) // SQLite's own of it
    std::remove((temporary + of).c_str());
}

void replaceFile(const std::string &temporary, const std::string &path) {
  syncPath(temporary, O_RDONLY);
  if (std::rename(temporary.c_str(), path.c_str()) != 0)
    failWriting(path, "; the profile is in " + temporary);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  syncPath(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);
}

void copyToFile(PopFile &file, const std::string &path, const std::string &sql) {
  const FileSizeSignal quiet;
  const std::string temporary = createTemporary(path);
  try {
    file.copyInto(temporary);
    PopFile copy(temporary, PopFile::Mode::Write);
    copy.execute("PRAGMA journal_mode = DELETE; " + sql);
  } catch (...) {
    removeTemporary(temporary);
    throw;
  }
  replaceFile(temporary, path);
}

} // namespace popscope
