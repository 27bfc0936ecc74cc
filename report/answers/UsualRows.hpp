// How many rows each view shows without -n, as --help tells it.
#pragma once
#include <string>

namespace popscope {

/// "10", "5 steps, 15 variables", "all".
[[nodiscard]] const char *usualRows(const std::string &view);

} // namespace popscope
