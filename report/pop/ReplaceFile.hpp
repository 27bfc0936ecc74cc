// Files that appear under their name complete or not at all.
#pragma once
#include "report/pop/PopDatabase.hpp"

namespace popscope {

/// Creates an empty profile_<random>.pop in the folder of `path`. Throws ProfileError.
[[nodiscard]] std::string createTemporary(const std::string &path);
/// Whether a file of this name is one of them.
[[nodiscard]] bool isTemporaryName(const std::string &name);
/// Removes what killed programs have left in the folder of `path` and nobody has used for 30 days: unfinished profiles
/// of this user, and parts of other files. Never throws.
void removeOldLeftovers(const std::string &path) noexcept;
/// With the files that SQLite keeps beside it, once it is closed.
void removeTemporary(const std::string &temporary);
/// `temporary` takes the name `path`, and both are on the disk when it returns. Throws ProfileError.
void replaceFile(const std::string &temporary, const std::string &path);
/// What `file` holds now becomes the file `path`, with `sql` executed on it before.
void copyToFile(PopFile &file, const std::string &path, const std::string &sql);

} // namespace popscope
