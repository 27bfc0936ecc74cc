#include "base/FileErrors.hpp"

#include "base/Environment.hpp"

#include <poplar/exceptions.hpp>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace popscope {

namespace fs = std::filesystem;

std::string messageOf(const std::exception &error) {
  const auto *file = dynamic_cast<const fs::filesystem_error *>(&error);
  if (file == nullptr)
    return error.what();
  const fs::path &path = file->path1().empty() ? file->path2() : file->path1();
  return (path.empty() ? "" : path.string() + ": ") + file->code().message();
}

std::string contentsOf(const std::string &path) {
  const auto fail = [&] { throw std::system_error(errno, std::generic_category(), path); };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    fail();
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (ssize_t got = 1; got != 0;) {
    got = ::read(file, buffer.data(), buffer.size());
    if (got > 0)
      text.append(buffer.data(), static_cast<std::size_t>(got));
    else if (got < 0 && errno != EINTR) {
      const int cause = errno;
      ::close(file);
      errno = cause;
      fail();
    }
  }
  ::close(file);
  return text;
}

fs::path temporaryFolder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error) {
    std::optional<std::string> named; // in the order in which the standard library reads them
    for (const char *name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
      if (!named)
        named = environmentVariable(name);
    throw poplar::file_load_error(named.value_or("/tmp") + ": the folder for temporary files cannot be used: " +
                                  error.message() + "; set TMPDIR to a folder that can be written");
  }
  return folder;
}

} // namespace popscope
