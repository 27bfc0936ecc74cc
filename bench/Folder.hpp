// The folder into which a benchmark writes.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace bench {

/// A new folder, which the destructor removes.
struct Folder {
  Folder() : path((std::filesystem::temp_directory_path() / "popscope-bench-XXXXXX").string()) {
    if (::mkdtemp(path.data()) == nullptr)
      std::abort();
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string path;
};

} // namespace bench
