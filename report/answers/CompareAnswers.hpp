// Profiles compared and guarded: what moved between two, whether limits hold, and the names of the numbers for both.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// `other` is the later one. With --fail-on a breach ends the tool with 1.
[[nodiscard]] Rows collectDiff(const Request &request);
/// The budget is a file, see Limits.hpp. A breach ends the tool with 1.
[[nodiscard]] Rows collectCheck(const Request &request);
[[nodiscard]] Rows collectNumbers(const Request &request);

} // namespace popscope
