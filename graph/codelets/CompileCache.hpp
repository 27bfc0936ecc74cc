// CompileCache: finished compilations on disk, found by the hash of everything that went into them.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace popscope {

/// Whole file, or nothing when it cannot be read.
std::optional<std::string> readFile(const std::string &path);

class CompileCache {
public:
  /// Creates `folder`. Falls back to one under the system's temporary folder when it cannot be written or is not
  /// ours; throws poplar::file_load_error when that is not possible either.
  explicit CompileCache(const std::string &folder);

  /// What `key` compiled to, if every header it included still has the same content.
  [[nodiscard]] std::optional<CompiledLibrary> find(const std::string &key) const;
  /// Moves the files named in `library` (made in a work folder) into the cache, to be found under each of `keys`.
  /// `headers`: the user's, as included. What was compiled is not found again when one of them was written after
  /// `begin`, the time at which compiling began.
  [[nodiscard]] CompiledLibrary store(const std::vector<std::string> &keys, const CompiledLibrary &library,
                                      const std::vector<std::string> &headers,
                                      std::filesystem::file_time_type begin) const;
  /// What is found under `key` is found under `other`, too, where halves of four bytes were asked for in vain.
  void share(const std::string &key, const std::string &other, const std::string &whyNoFloats) const;
  /// Writes `content` once under a name made of its hash and `extension`; the path.
  [[nodiscard]] std::string keep(const std::string &content, const std::string &extension) const;
  /// The same under a name of the caller's, in a folder named by the hash; that folder.
  [[nodiscard]] std::string keepInFolder(const std::string &content, const std::string &name) const;

  [[nodiscard]] const std::string &folder() const { return folder_; }

private:
  std::string folder_;
};

/// A folder of our own inside `parent`, removed with all it holds at the end of the scope.
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

/// Throws poplar::file_load_error when it cannot be written.
void writeFile(const std::string &path, const std::string &content);

} // namespace popscope
