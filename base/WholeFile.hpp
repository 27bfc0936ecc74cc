// Only the functions of this header create files (a rule of tests/meta). A new file gets its name only when the file is
// complete. Until then, an older file with this name stays unchanged. The new contents are in a temporary file in the
// folder of the new file. The temporary file has a random name that other programs cannot guess. Only a file of
// openNew() has its name from the beginning. Symbolic links are not followed: the new file replaces a link of the same
// name, and the link's target stays unchanged. Only links below /proc and below /dev (but not /dev/shm) are followed.
// If another user owns a folder or can write to it, the functions do not replace a file of another user in this folder.
// If a file cannot be written, the functions throw std::system_error with the cause and the path.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace popscope {

/// A file that is being written next to its final path. If the path is a device, a pipe, /dev/stdout or similar, a
/// NewFile writes the contents to this path directly.
class NewFile {
public:
  /// Creates the temporary file, named `path`.<random>.part (with at most 200 bytes of the file name; see isPartName).
  /// Throws std::system_error if no file can be created in the folder, or if `path` is a folder. Also throws
  /// std::system_error if `path` is a file of another user in a shared folder.
  explicit NewFile(const std::string &path);
  /// Removes the temporary file unless publish() has succeeded.
  ~NewFile();
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  /// Returns the stream for the contents. After a failed write, the badbit of the stream is set, and publish() throws
  /// the error of that write.
  [[nodiscard]] std::ostream &stream();
  [[nodiscard]] std::uint64_t bytes() const;
  /// Gives the file its final name. If `synced` is true, the contents are on the disk when publish() returns. There is
  /// no such guarantee for a device, for a pipe, and on a file system that cannot sync files. If the name exists and
  /// `overwrite` is false, throws std::system_error with EEXIST.
  void publish(bool overwrite = true, bool synced = true);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The number of lower-case hexadecimal digits in the <random> part of names.
inline constexpr std::size_t kRandomDigits = 8;
/// Returns whether a name ends with <random><suffix>, as the names that NewFile and createBeside() give to files.
[[nodiscard]] bool endsWithRandom(std::string_view name, std::string_view suffix);
/// Returns whether the name of a file, without its folder, has the form of the temporary files of NewFile.
[[nodiscard]] bool isPartName(std::string_view name);

/// Makes `bytes` the contents of `path`. `synced` has the same meaning as for NewFile::publish(). Thread-safe. Several
/// processes may write the same file at the same time.
void writeWholeFile(const std::string &path, std::string_view bytes, bool synced = true);

/// Throws std::invalid_argument if `output` is one of the files `inputs`, because writing `output` would replace this
/// input. A link to an input counts as the input. Names of no file, such as "" and "-", are allowed.
void checkOutputIsNoInput(const std::string &output, std::span<const std::string> inputs);

/// Creates an empty file named <prefix><random><suffix> in the folder of `path`, and returns the path of the new file.
/// moveIntoPlace() can later rename the new file to `path`. Throws the exceptions of NewFile, and std::system_error if
/// `path` is a device, a pipe or a socket.
[[nodiscard]] std::string createBeside(const std::string &path, std::string_view prefix, std::string_view suffix);
/// Removes a file of createBeside(), and the journals that SQLite keeps next to a file that is a database.
void removeBeside(const std::string &temporary);
/// Renames `temporary` to `path`. When the function returns, the contents and the name are on the disk, unless the file
/// system cannot sync them. Throws std::system_error if the system refuses the rename, if `path` is a device, a pipe or
/// a socket, or if NewFile would refuse `path`.
void moveIntoPlace(const std::string &temporary, const std::string &path);

/// From now on, a signal that ends this process (SIGHUP, SIGINT, SIGTERM) first removes the temporary files of the
/// functions above. Removes at most 16 of these files. Only the main function of a tool may call this function, because
/// a library must not change the signal handlers of a program. Signals that are ignored stay ignored.
void removeTemporaryFilesAtSignals();

/// Creates a file, opens it for appending, and returns its file descriptor. Throws std::system_error with EEXIST if a
/// file or a link with this name exists.
[[nodiscard]] int openNew(const std::string &path);

/// Returns whether `error`, the errno of a write, means missing space or a fault of the medium (disk full, quota, size
/// limit, I/O error). In these cases, a file of another name in the same folder cannot be written either.
[[nodiscard]] bool isLackOfRoom(int error);
/// Returns true if `error` means that writing is not permitted, and also if isLackOfRoom(error) is true.
[[nodiscard]] bool isRefusal(int error);

} // namespace popscope
