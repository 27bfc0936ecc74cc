// Files that are written at once: they appear under their name complete, or what was there before stays.
#pragma once
#include <string>
#include <string_view>

namespace popscope {

/// `path` holds `bytes` when it returns. A device or a pipe is written to; a symbolic link stays one. Throws
/// std::system_error with the cause. Thread-safe; several processes may write the same file.
void writeWholeFile(const std::string &path, std::string_view bytes);

/// Whether writing failed for want of room or by a fault of the medium (disk full, quota, size limit, I/O error), which
/// no other name in the same place would change.
[[nodiscard]] bool isLackOfRoom(int error);
/// The same, or the place may not be written.
[[nodiscard]] bool isRefusal(int error);

} // namespace popscope
