#include "base/WholeFile.hpp"

#include "base/FileSizeSignal.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace popscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error, const std::string &path) {
  throw std::system_error(error, std::generic_category(), path);
}

/// 0, or the errno of what failed.
int writeTo(const std::string &name, int flags, std::string_view bytes, bool sync) {
  const int fd = ::open(name.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    return errno;
  int error = 0;
  while (error == 0 && !bytes.empty()) {
    const ssize_t got = ::write(fd, bytes.data(), bytes.size());
    if (got >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(got));
    else if (errno != EINTR)
      error = errno;
  }
  if (error == 0 && sync && ::fsync(fd) != 0 && errno != EINVAL) // some file systems cannot
    error = errno;
  if (::close(fd) != 0 && error == 0)
    error = errno;
  return error;
}

} // namespace

bool isLackOfRoom(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO; }

bool isRefusal(int error) { return isLackOfRoom(error) || error == EACCES || error == EPERM || error == EROFS; }

void writeWholeFile(const std::string &path, std::string_view bytes) {
  const FileSizeSignal quiet;
  std::error_code ignored;
  const fs::path real = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : fs::path(path);
  if (fs::exists(real, ignored) && !fs::is_regular_file(real, ignored) && !fs::is_directory(real, ignored)) {
    if (const int error = writeTo(real.string(), 0, bytes, false))
      fail(error, path);
    return;
  }
  static std::atomic<unsigned> files{0};
  const std::string temporary =
      real.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(++files) + ".part";
  int error = writeTo(temporary, O_CREAT | O_TRUNC, bytes, true);
  if (error == 0 && std::rename(temporary.c_str(), real.c_str()) != 0)
    error = errno;
  if (error != 0) {
    std::remove(temporary.c_str());
    fail(error, path);
  }
}

} // namespace popscope
