// Older formats: a copy of the file is changed, one format after the other, until it is what this code writes.
#pragma once
#include "report/pop/PopDatabase.hpp"

namespace popscope {

/// A temporary database in today's format with what `file`, of format `version`, holds. `file` stays as it is. Throws
/// ProfileError for a corrupt file.
[[nodiscard]] std::shared_ptr<PopFile> upgradedCopy(PopFile &file, int version);

} // namespace popscope
