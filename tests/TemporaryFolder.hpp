// A folder for the files of one test.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include <unistd.h>

/// An empty folder, popscope-<name>-<process> in the system's temporary folder, which the destructor removes.
struct TemporaryFolder {
  std::filesystem::path path;

  explicit TemporaryFolder(const std::string &name)
      : path(std::filesystem::temp_directory_path() / ("popscope-" + name + "-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  [[nodiscard]] std::string file(const char *name) const { return (path / name).string(); }
};
