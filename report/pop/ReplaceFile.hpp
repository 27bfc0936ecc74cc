// Files that appear under their name complete or not at all.
#pragma once
#include "report/pop/PopDatabase.hpp"

namespace popscope {

/// Creates an empty profile_<random>.pop in the folder of `path`. Throws ProfileError.
[[nodiscard]] std::string createTemporary(const std::string &path);
/// Returns whether the name is that of a temporary file.
[[nodiscard]] bool isTemporaryName(const std::string &name);
/// Removes files that killed programs left in the folder of `path`, if they are unused for 30 days: unfinished profiles
/// of this user, and parts of other files. Never throws.
void removeOldLeftovers(const std::string &path) noexcept;
/// Removes the file, once closed, with the files that SQLite keeps next to it.
void removeTemporary(const std::string &temporary);
/// Renames `temporary` to `path`; both are on the disk when it returns. Throws ProfileError.
void replaceFile(const std::string &temporary, const std::string &path);
/// Executes `sql` on a copy of the present contents of `file`, and writes the result to `path`.
void copyToFile(PopFile &file, const std::string &path, const std::string &sql);

} // namespace popscope
