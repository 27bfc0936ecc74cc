// Turns errors of files and folders into messages for users.
#pragma once
#include <exception>
#include <filesystem>
#include <string>

namespace popscope {

/// Returns the message of an exception for a user. The message of a std::filesystem::filesystem_error contains the name
/// of a C++ function; this message becomes "PATH: CAUSE". For other exceptions, returns the message unchanged.
[[nodiscard]] std::string messageOf(const std::exception &error);

/// Returns the contents of a file. Throws std::system_error with the cause and the path.
[[nodiscard]] std::string contentsOf(const std::string &path);

/// Returns the folder for temporary files: the first of TMPDIR, TMP, TEMP and TEMPDIR that is set, or /tmp. Throws
/// poplar::file_load_error if this path is not a folder.
[[nodiscard]] std::filesystem::path temporaryFolder();

} // namespace popscope
