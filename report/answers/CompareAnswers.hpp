// Compares two profiles, checks a profile against limits, and lists the names of the numbers that `popscope diff` and
// `popscope check` accept in limits.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Compares two profiles; Request::other is the later profile. If a limit of --fail-on fails, the exit code of the tool
/// is 1.
[[nodiscard]] Rows collectDiff(const Request &request);
/// Checks a profile against the limits of a budget file (Limits.hpp). If a limit fails, the exit code of the tool is 1.
[[nodiscard]] Rows collectCheck(const Request &request);
[[nodiscard]] Rows collectNumbers(const Request &request);

} // namespace popscope
