// CompileCache: keeps finished compilations on disk. The key of an entry is a hash of all inputs of the compilation. An
// entry contains a hash of each file of the result, and a hash of the entry itself. The cache returns a result only if
// the hash of the entry and the hashes of all files match. If a file is truncated or changed, the cache ignores the
// entry of the file. Popscope then compiles the source again, and the new file replaces the old file.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace popscope {

/// Returns the contents of the file, or no value if the file is no regular file or cannot be read.
std::optional<std::string> readFile(const std::string &path);

/// The limits of the cache. The age of a file is the time since its last use, in hours.
struct CacheLimits {
  std::uint64_t bytes =
      std::uint64_t(1) << 30;  // if all files together exceed this size, the cache removes the files that were unused
                               // longest
  std::chrono::hours kept{24}; // even above the limit `bytes`, the cache keeps files that were used within this time
  std::chrono::hours unused{24 * 30}; // every file that was unused for this long is removed
  std::chrono::hours work{24};        // every work folder older than this time is removed, because only a killed build
                                      // leaves its work folder behind
};

class CompileCache {
public:
  /// Creates `folder` for the current user alone (mode 0700). If `folder` cannot be created or written, or if another
  /// user owns the folder or can write to it, uses <temporary folder>/popscope-cache-<user id> instead. If this second
  /// folder is not usable for one of these reasons, uses a private folder that this process removes when the process
  /// ends. Throws poplar::file_load_error if none of these folders can be created.
  explicit CompileCache(const std::string &folder);

  /// Returns the library of `key` if every included header and every stored file is unchanged, and no value otherwise.
  [[nodiscard]] std::optional<CompiledLibrary> find(const std::string &key) const;
  /// Moves the files named in `library` from their work folder into the cache. find() then returns the library for each
  /// of `keys`. `headers` are the absolute paths of the user's headers that the compilation included. If one of these
  /// headers was written at or after `begin`, the time at which the compilation began, find() does not return the
  /// library.
  [[nodiscard]] CompiledLibrary store(const std::vector<std::string> &keys, const CompiledLibrary &library,
                                      const std::vector<std::string> &headers,
                                      std::filesystem::file_time_type begin) const;
  /// Makes the library of `key` also available under `other`, the key of a request for halves of four bytes. The caller
  /// calls this function if the source does not compile with halves of four bytes. `whyNoFloats` contains the
  /// compiler's errors. Does nothing if `key` has no valid entry.
  void share(const std::string &key, const std::string &other, const std::string &whyNoFloats) const;
  /// Stores the content in a file whose name is the hash of the content and `extension`. Returns the path.
  [[nodiscard]] std::string keep(const std::string &content, const std::string &extension) const;
  /// Stores the content in a file `name`, in a folder whose name is the hash of the content. Returns the folder.
  [[nodiscard]] std::string keepInFolder(const std::string &content, const std::string &name) const;

  /// Moves `from` into the cache, with an entry under `key`. Returns the new path.
  [[nodiscard]] std::string storeFile(const std::string &key, const std::string &from,
                                      const std::string &extension) const;
  /// Returns the path of the file that was stored under `key`, or no value if the file does not exist or has changed.
  /// The file may be empty.
  [[nodiscard]] std::optional<std::string> findFile(const std::string &key) const;

  /// Removes the files and the work folders that `limits` describes, also in subfolders.
  void prune(const CacheLimits &limits) const;

  [[nodiscard]] const std::string &folder() const { return folder_; }

private:
  void pruneSometimes() const;
  std::string folder_;
};

/// A new folder inside `parent`. The constructor throws poplar::file_load_error if the folder cannot be created. The
/// destructor removes the folder with its contents.
class WorkFolder {
public:
  explicit WorkFolder(const std::string &parent);
  ~WorkFolder();
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;
  [[nodiscard]] std::string path(const std::string &name) const { return folder_ + "/" + name; }

private:
  std::string folder_;
};

/// Writes a file. Throws poplar::file_load_error if the file cannot be written. Does not wait until the file is on the
/// disk, so the file may be lost in a power failure.
void writeFile(const std::string &path, const std::string &content);

} // namespace popscope
