#include "base/WholeFile.hpp"

#include "base/FileSizeSignal.hpp"
#include "base/ReadNumber.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <streambuf>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace popscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartSuffix = ".part"; // the suffix of NewFile's temporary files

/// The error category for files that the system would let us replace, but that we do not replace. EPERM is a file of
/// another user in a folder that others can write; EINVAL is a device, a pipe or a socket.
class FileErrors : public std::error_category {
public:
  [[nodiscard]] const char *name() const noexcept override { return "file"; }
  [[nodiscard]] std::string message(int error) const override {
    return error == EPERM ? "it belongs to another user, in a folder that other users can write; remove the file "
                            "or choose another folder"
                          : "it is a device, a pipe or a socket, and a file cannot replace it; name a regular file";
  }
};
[[noreturn]] void refuse(int error, const std::string &path) {
  static const FileErrors errors;
  throw std::system_error(std::error_code(error, errors), path);
}

[[noreturn]] void fail(int error, const std::string &path) {
  throw std::system_error(error, std::generic_category(), path);
}

std::string folderOf(const std::string &path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Returns whether `path` is a link below /proc or /dev. The system provides such links for the open files of a
/// process.
bool isSystemLink(const std::string &path, const struct stat &about) {
  return S_ISLNK(about.st_mode) &&
         (path.rfind("/proc/", 0) == 0 || (path.rfind("/dev/", 0) == 0 && path.rfind("/dev/shm/", 0) != 0));
}

/// Returns the descriptor of this process that the path names, such as 1 for /dev/stdout.
std::optional<int> descriptorAt(std::string_view path) {
  constexpr std::string_view kNames[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (path == kNames[i])
      return static_cast<int>(i);
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.substr(0, folder.size()) == folder)
      if (const auto number = readWhole(path.substr(folder.size()), {0, std::numeric_limits<int>::max()}))
        return static_cast<int>(*number);
  return std::nullopt;
}

/// Opens a device, a pipe or an open file of a process, without a change of its contents. A descriptor of this process
/// is copied. If the descriptor is a file, the copy keeps the position and the O_APPEND of the shell that opened the
/// file.
int openPlace(const std::string &path) {
  const auto own = descriptorAt(path);
  const int fd = own ? ::fcntl(*own, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    fail(errno, path);
  return fd;
}

enum class Place { Free, Replaced, WrittenTo };
/// Returns what exists at `path`. Throws for a folder, and for a file that we must not replace.
Place placeAt(const std::string &path) {
  struct stat about {
  }, folder{};
  if (::lstat(path.c_str(), &about) != 0)
    return Place::Free; // if the place is not accessible, creating a file there reports the reason
  if (S_ISCHR(about.st_mode) || isSystemLink(path, about))
    return Place::WrittenTo;
  if (S_ISDIR(about.st_mode))
    fail(EISDIR, path);
  const uid_t self = ::geteuid();
  if (about.st_uid != self && ::stat(folderOf(path).c_str(), &folder) == 0 &&
      (folder.st_uid != self || (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0))
    refuse(EPERM, path);
  return S_ISREG(about.st_mode) || S_ISLNK(about.st_mode) ? Place::Replaced : Place::WrittenTo;
}

/// Throws if a file must not take the name `path`.
void checkReplaceable(const std::string &path) {
  if (placeAt(path) == Place::WrittenTo)
    refuse(EINVAL, path);
}

/// The suffixes of a database and of the files that SQLite keeps next to it.
constexpr const char *kDatabaseFiles[] = {"", "-journal", "-wal", "-shm"};

/// The temporary files that a signal handler removes. A handler cannot allocate or lock, so the paths are in a fixed
/// table. Files beyond the table's size stay. A row is in use while its state is Named.
struct TemporaryFiles {
  static constexpr std::size_t kRows = 16, kPathBytes = 4096;
  enum State : int { Free, Taken, Named };
  struct Row {
    std::atomic<int> state{Free};
    std::array<char, kPathBytes> path;
  };
  std::atomic<bool> watched{false};
  std::array<Row, kRows> rows;

  void add(const std::string &path) {
    if (!watched || path.size() >= kPathBytes)
      return;
    for (Row &row : rows) {
      int free = Free;
      if (!row.state.compare_exchange_strong(free, Taken))
        continue;
      std::memcpy(row.path.data(), path.c_str(), path.size() + 1);
      row.state = Named;
      return;
    }
  }
  void drop(const std::string &path) {
    for (Row &row : rows)
      if (row.state == Named && path == row.path.data())
        row.state = Free;
  }
  /// Removes the files, and the journals that SQLite keeps next to databases. Async-signal-safe.
  void removeAll() {
    for (Row &row : rows) {
      if (row.state != Named)
        continue;
      std::array<char, kPathBytes + 16> name{};
      const std::size_t length = std::strlen(row.path.data());
      std::memcpy(name.data(), row.path.data(), length);
      for (const char *suffix : kDatabaseFiles) {
        std::memcpy(name.data() + length, suffix, std::strlen(suffix) + 1);
        ::unlink(name.data());
      }
    }
  }
};
TemporaryFiles gTemporaryFiles; // NOLINT: a handler has no arguments

void removeAndEnd(int signal) {
  gTemporaryFiles.removeAll();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Created {
  std::string path;
  int descriptor;
};
Created create(const std::string &folder, std::string_view prefix, std::string_view suffix, const std::string &path) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = fmt::format("{}/{}{:0{}x}{}", folder, prefix, random(), kRandomDigits, suffix);
    const int fd = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0) {
      gTemporaryFiles.add(name);
      return {std::move(name), fd};
    }
    if (errno != EEXIST)
      fail(errno, path);
  }
  fail(EEXIST, path);
}

/// Writes all bytes. Returns 0, or the errno of the failure.
int writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::write(fd, bytes.data(), bytes.size());
    if (got >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(got));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

/// Syncs a file or folder. If a folder cannot be opened or synced (on some file systems), only safety against power
/// failure is lost.
void syncPath(const std::string &path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0)
    return;
  (void)::fsync(fd);
  ::close(fd);
}

class DescriptorBuffer : public std::streambuf {
public:
  explicit DescriptorBuffer(int fd) : fd_(fd) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  /// Returns the errno of the first write that failed, or 0.
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] std::uint64_t bytes() const { return written_ + static_cast<std::uint64_t>(pptr() - pbase()); }

protected:
  int_type overflow(int_type c) override {
    if (sync() != 0)
      return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof()))
      sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char *text, std::streamsize count) override {
    if (count <= epptr() - pptr())
      return std::streambuf::xsputn(text, count);
    return sync() == 0 && write({text, static_cast<std::size_t>(count)}) ? count : 0;
  }
  int sync() override {
    const std::string_view kept(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return write(kept) ? 0 : -1;
  }

private:
  bool write(std::string_view bytes) {
    const FileSizeSignal quiet;
    if (error_ == 0)
      error_ = writeAll(fd_, bytes);
    written_ += error_ == 0 ? bytes.size() : 0;
    return error_ == 0;
  }
  int fd_;
  int error_ = 0;
  std::uint64_t written_ = 0;
  std::array<char, 1 << 16> buffer_;
};

} // namespace

bool isLackOfRoom(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO; }

bool isRefusal(int error) { return isLackOfRoom(error) || error == EACCES || error == EPERM || error == EROFS; }

struct NewFile::Impl {
  Impl(std::string itsPath, Created file)
      : path(std::move(itsPath)), temporary(std::move(file.path)), descriptor(file.descriptor), buffer(descriptor) {}
  std::string path, temporary; // temporary "": the file at `path` is written directly
  int descriptor;
  DescriptorBuffer buffer;
  std::ostream out{&buffer};
};

NewFile::NewFile(const std::string &path) {
  if (placeAt(path) == Place::WrittenTo) {
    impl_ = std::make_unique<Impl>(path, Created{"", openPlace(path)});
    return;
  }
  const std::string prefix = fs::path(path).filename().string().substr(0, 200) + ".";
  impl_ = std::make_unique<Impl>(path, create(folderOf(path), prefix, kPartSuffix, path));
}

bool endsWithRandom(std::string_view name, std::string_view suffix) {
  const std::size_t length = kRandomDigits + suffix.size();
  if (name.size() < length)
    return false;
  const std::string_view end = name.substr(name.size() - length);
  return end.substr(kRandomDigits) == suffix &&
         end.substr(0, kRandomDigits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool isPartName(std::string_view name) {
  const std::size_t end = kRandomDigits + kPartSuffix.size();
  return endsWithRandom(name, kPartSuffix) && name.size() > end + 1 && name[name.size() - end - 1] == '.';
}

NewFile::~NewFile() {
  if (impl_->descriptor >= 0)
    ::close(impl_->descriptor);
  if (!impl_->temporary.empty()) {
    std::remove(impl_->temporary.c_str());
    gTemporaryFiles.drop(impl_->temporary);
  }
}

std::ostream &NewFile::stream() { return impl_->out; }
std::uint64_t NewFile::bytes() const { return impl_->buffer.bytes(); }

void NewFile::publish(bool overwrite, bool synced) {
  Impl &i = *impl_;
  const FileSizeSignal quiet;
  i.out.flush();
  int error = i.buffer.error();
  if (error == 0 && synced && !i.temporary.empty() && ::fsync(i.descriptor) != 0 &&
      errno != EINVAL) // some file systems cannot sync
    error = errno;
  if (::close(i.descriptor) != 0 && error == 0)
    error = errno;
  i.descriptor = -1;
  if (error != 0)
    fail(error, i.path);
  if (i.temporary.empty())
    return;
  if (overwrite) {
    if (std::rename(i.temporary.c_str(), i.path.c_str()) != 0)
      fail(errno, i.path);
    gTemporaryFiles.drop(std::exchange(i.temporary, ""));
    return;
  }
  if (::link(i.temporary.c_str(), i.path.c_str()) == 0) // unlike a rename, a link fails if the name exists
    return;                                             // the destructor removes the temporary name
  struct stat about {};
  if (errno == EEXIST || ::lstat(i.path.c_str(), &about) == 0)
    fail(EEXIST, i.path);
  if (std::rename(i.temporary.c_str(), i.path.c_str()) != 0) // the file system has no links
    fail(errno, i.path);
  gTemporaryFiles.drop(std::exchange(i.temporary, ""));
}

void writeWholeFile(const std::string &path, std::string_view bytes, bool synced) {
  const FileSizeSignal quiet;
  NewFile file(path);
  file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.publish(true, synced);
}

void checkOutputIsNoInput(const std::string &output, std::span<const std::string> inputs) {
  std::error_code error; // a name of no file
  for (const std::string &input : inputs)
    if (fs::equivalent(output, input, error))
      throw std::invalid_argument(output + " is " + (output == input ? "" : "the same file as " + input + ", ") +
                                  "an input; name another file to write");
}

std::string createBeside(const std::string &path, std::string_view prefix, std::string_view suffix) {
  checkReplaceable(path);
  Created file = create(folderOf(path), prefix, suffix, path);
  ::close(file.descriptor);
  return std::move(file.path);
}

void removeBeside(const std::string &temporary) {
  for (const char *suffix : kDatabaseFiles)
    std::remove((temporary + suffix).c_str());
  gTemporaryFiles.drop(temporary);
}

void moveIntoPlace(const std::string &temporary, const std::string &path) {
  checkReplaceable(path);
  syncPath(temporary, O_RDONLY);
  if (std::rename(temporary.c_str(), path.c_str()) != 0)
    fail(errno, path);
  gTemporaryFiles.drop(temporary);
  syncPath(folderOf(path), O_RDONLY | O_DIRECTORY);
}

void removeTemporaryFilesAtSignals() {
  gTemporaryFiles.watched = true;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN)
      continue;
    action = {};
    action.sa_handler = removeAndEnd;
    sigaction(signal, &action, nullptr);
  }
}

int openNew(const std::string &path) {
  const int fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0)
    fail(errno, path);
  return fd;
}

} // namespace popscope
