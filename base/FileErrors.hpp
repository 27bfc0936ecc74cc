// Turns errors of files and folders into messages for users.
#pragma once
#include <cstddef>
#include <exception>
#include <filesystem>
#include <string>

namespace popscope {

/// Returns the message of an exception for a user. For a std::filesystem::filesystem_error, returns "PATH: CAUSE",
/// because the error's own message contains the name of a C++ function. For a std::bad_alloc, the returned message
/// states that the process is out of memory, and what the user can do. For other exceptions, returns what().
[[nodiscard]] std::string messageOf(const std::exception &error);

/// Maximum size in bytes of a text that a user writes, for example a budget, a machine file or a configuration.
constexpr std::size_t kMaxTextBytes = std::size_t(64) << 20;

/// Returns the contents of a file or a pipe. Throws std::system_error with the cause and the path if the file cannot be
/// read, or if the contents have more than `most` bytes. A device other than a terminal counts as a file that cannot be
/// read.
[[nodiscard]] std::string contentsOf(const std::string &path, std::size_t most = kMaxTextBytes);

/// Returns the folder for temporary files: the first of TMPDIR, TMP, TEMP and TEMPDIR that is set, or /tmp if none of
/// them is set. Throws poplar::file_load_error if this path is not a folder.
[[nodiscard]] std::filesystem::path temporaryFolder();

} // namespace popscope
