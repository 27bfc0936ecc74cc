// absolutePath(): a path that stays valid when the program changes its current folder.
#pragma once
#include <filesystem>
#include <string>
#include <system_error>

namespace popscope {

/// Returns the path from the root of the file system. Returns the path unchanged if it is empty, or if there is no
/// current folder.
[[nodiscard]] inline std::string absolutePath(const std::string &path) {
  std::error_code error;
  const std::filesystem::path absolute = path.empty() ? "" : std::filesystem::absolute(path, error);
  return error ? path : absolute.string();
}

} // namespace popscope
