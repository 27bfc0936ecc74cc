// Writes files that get their final names only when they are complete.
#pragma once
#include "base/TemporaryProfile.hpp"
#include "report/pop/PopDatabase.hpp"

namespace popscope {

/// Creates an empty profile_<random>.pop in the folder of `path` and returns its path. Throws StorageError if the file
/// cannot be created.
[[nodiscard]] std::string createTemporary(const std::string &path);
/// Removes files that killed programs left in the folder of `path`: unfinished profiles and other unfinished files of
/// this user. Removes only files that were last written more than 30 days ago. Never throws.
void removeOldLeftovers(const std::string &path) noexcept;
/// Renames `temporary` to `path`. When the function returns, the contents and the new name are on the disk. Throws
/// StorageError if the system refuses to write or rename the file.
void replaceFile(const std::string &temporary, const std::string &path);
/// Executes `sql` on a copy of the present contents of `file`, and writes the changed copy to `path`, as a whole or not
/// at all. Throws ProfileError if SQLite refuses `sql`, or if a file cannot be read or written.
void copyToFile(PopFile &file, const std::string &path, const std::string &sql);

} // namespace popscope
