#include "base/FileErrors.hpp"

#include "base/Environment.hpp"

#include <poplar/exceptions.hpp>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace popscope {

namespace fs = std::filesystem;

std::string messageOf(const std::exception &error) {
  if (dynamic_cast<const std::bad_alloc *>(&error) != nullptr)
    return "out of memory: this process may use no more; give it more, or select fewer tiles, steps or runs";
  const auto *file = dynamic_cast<const fs::filesystem_error *>(&error);
  if (file == nullptr)
    return error.what();
  const fs::path &path = file->path1().empty() ? file->path2() : file->path1();
  return (path.empty() ? "" : path.string() + ": ") + file->code().message();
}

namespace {

/// The error category for a file that can be read, but that is not read. ENODEV is a device; EFBIG is a file with more
/// bytes than the reader expects.
class ReadErrors : public std::error_category {
public:
  [[nodiscard]] const char *name() const noexcept override { return "read"; }
  [[nodiscard]] std::string message(int error) const override {
    return error == ENODEV ? "it is a device; name a file"
                           : "it has more bytes than a valid file of this kind can have; name another file";
  }
};

/// Returns the error of reading `file` to its end into `text`.
std::error_code readAll(int file, std::size_t most, std::string &text) {
  static const ReadErrors errors;
  struct stat about {};
  if (::fstat(file, &about) == 0 && (S_ISBLK(about.st_mode) || (S_ISCHR(about.st_mode) && ::isatty(file) == 0)))
    return {ENODEV, errors};
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got == 0)
      return {};
    if (got < 0 && errno != EINTR)
      return {errno, std::generic_category()};
    if (got < 0)
      continue;
    if (text.size() + static_cast<std::size_t>(got) > most)
      return {EFBIG, errors};
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

} // namespace

std::string contentsOf(const std::string &path, std::size_t most) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    throw std::system_error(errno, std::generic_category(), path);
  std::string text;
  const std::error_code error = readAll(file, most, text);
  ::close(file);
  if (error)
    throw std::system_error(error, path);
  return text;
}

fs::path temporaryFolder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error) {
    std::optional<std::string> named; // the first variable that is set, in the order of the standard library
    for (const char *name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
      if (!named)
        named = environmentVariable(name);
    throw poplar::file_load_error(named.value_or("/tmp") + ": the folder for temporary files cannot be used: " +
                                  error.message() + "; set TMPDIR to a folder that can be written");
  }
  return folder;
}

} // namespace popscope
