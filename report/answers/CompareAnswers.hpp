// Compares two profiles, checks a profile against limits, and lists the names of the numbers for both.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Compares two profiles. `other` is the later one. With --fail-on, a breach makes the tool end with 1.
[[nodiscard]] Rows collectDiff(const Request &request);
/// Checks a profile against a budget, which is a file (Limits.hpp). A breach makes the tool end with 1.
[[nodiscard]] Rows collectCheck(const Request &request);
[[nodiscard]] Rows collectNumbers(const Request &request);

} // namespace popscope
