// The one place that makes files (a rule of tests/meta): a file appears under its name complete, or what was there
// before stays. Until then it has a random name, which no other program can guess, in the same folder. No symbolic
// link is followed: one of that name is replaced, and what it points to stays. In a folder that others can write, a
// file of another user is left alone. Functions throw std::system_error with the cause and the path.
#pragma once
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace popscope {

/// A file that is being written next to the place where it will appear. A device or a pipe of that name, and what
/// /dev/stdout and its like stand for, is written to directly.
class NewFile {
public:
  /// Creates the temporary file, named `path`.<random>.part. Throws when the folder takes none, or `path` is a file of
  /// another user in a shared folder.
  explicit NewFile(const std::string &path);
  /// Removes the temporary file unless publish() has succeeded.
  ~NewFile();
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  /// Where the content goes. A write that fails sets the stream's badbit; publish() then throws its cause.
  [[nodiscard]] std::ostream &stream();
  [[nodiscard]] std::uint64_t bytes() const;
  /// The file has its name when this returns, and is on the disk if `synced`. Unless `overwrite`, throws with EEXIST
  /// when the name is taken.
  void publish(bool overwrite = true, bool synced = true);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// `path` holds `bytes` when it returns, on the disk if `synced`. Thread-safe; several processes may write the same
/// file.
void writeWholeFile(const std::string &path, std::string_view bytes, bool synced = true);

/// Creates an empty file named <prefix><random><suffix> in the folder of `path`, which it will become by replaceFile;
/// its path. Throws as NewFile does.
[[nodiscard]] std::string createBeside(const std::string &path, std::string_view prefix, std::string_view suffix);
/// `temporary` takes the name `path`, and both are on the disk when it returns.
void moveIntoPlace(const std::string &temporary, const std::string &path);

/// Opens a file that must not exist, for appending. Throws with EEXIST when there is one or a link of that name.
[[nodiscard]] int openNew(const std::string &path);

/// Whether writing failed for want of room or by a fault of the medium (disk full, quota, size limit, I/O error), which
/// no other name in the same place would change.
[[nodiscard]] bool isLackOfRoom(int error);
/// The same, or the place may not be written.
[[nodiscard]] bool isRefusal(int error);

} // namespace popscope
