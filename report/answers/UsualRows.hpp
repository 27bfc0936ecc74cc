// The number of rows that each view shows without -n, as --help prints it.
#pragma once
#include <string>

namespace popscope {

/// Returns the number of rows in words: "10", "5 steps, 15 variables" or, for a view that shows all rows, "all".
[[nodiscard]] const char *usualRows(const std::string &view);

} // namespace popscope
