// The number of rows that each view shows without -n, as --help prints it.
#pragma once
#include <string>

namespace popscope {

/// Returns, for example, "10", "5 steps, 15 variables" or "all".
[[nodiscard]] const char *usualRows(const std::string &view);

} // namespace popscope
