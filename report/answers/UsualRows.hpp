// The number of rows that each view shows without -n, as in --help.
#pragma once
#include <string>

namespace popscope {

/// Returns "10", "5 steps, 15 variables", "all".
[[nodiscard]] const char *usualRows(const std::string &view);

} // namespace popscope
