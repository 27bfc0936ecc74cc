// The only place that creates files (a rule of tests/meta). A file appears under its name complete, or the previous one
// stays. Until then it has a random name, which no other program can guess, in the same folder. Symbolic links are not
// followed: a link of that name is replaced, and its target stays. In a folder that others can write, a file of another
// user is left alone. Functions throw std::system_error with the cause and the path.
#pragma once
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace popscope {

/// A file that is being written next to its final place. A device or a pipe of that name, and targets of /dev/stdout
/// and similar paths, are written to directly.
class NewFile {
public:
  /// Creates the temporary file, named `path`.<random>.part. Throws if the folder does not allow it, or if `path` is a
  /// file of another user in a shared folder.
  explicit NewFile(const std::string &path);
  /// Removes the temporary file unless publish() has succeeded.
  ~NewFile();
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  /// Returns the stream for the contents. A failed write sets the stream's badbit; publish() then throws its cause.
  [[nodiscard]] std::ostream &stream();
  [[nodiscard]] std::uint64_t bytes() const;
  /// Gives the file its name; if `synced`, the file is also on the disk when this returns. Unless `overwrite`, throws
  /// with EEXIST if the name exists.
  void publish(bool overwrite = true, bool synced = true);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Makes `bytes` the contents of `path`, on the disk if `synced`. Thread-safe; several processes may write the same
/// file.
void writeWholeFile(const std::string &path, std::string_view bytes, bool synced = true);

/// Creates an empty file named <prefix><random><suffix> in the folder of `path`, and returns its path. It becomes
/// `path` by replaceFile. Throws as NewFile does.
[[nodiscard]] std::string createBeside(const std::string &path, std::string_view prefix, std::string_view suffix);
/// Renames `temporary` to `path`; both are on the disk when it returns.
void moveIntoPlace(const std::string &temporary, const std::string &path);

/// Opens a new file for appending. Throws with EEXIST if there is a file or a link of that name.
[[nodiscard]] int openNew(const std::string &path);

/// Returns whether a write failed for lack of space or a fault of the medium (disk full, quota, size limit, I/O error),
/// so that no other name in the same place would help.
[[nodiscard]] bool isLackOfRoom(int error);
/// Returns true if isLackOfRoom(error), or if the error says that writing is not permitted there.
[[nodiscard]] bool isRefusal(int error);

} // namespace popscope
