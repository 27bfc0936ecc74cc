// Compares two profiles, checks a profile against limits, and lists the names of the numbers that `popscope diff` and
// `popscope check` accept in limits.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Checks the selection for the profile with which a view compares: checkSelection(), but a step that only one of the
/// two profiles has counts as a difference.
void checkCompared(const pva::Report &other, Selection selection);
/// Compares two profiles; Request::other is the later profile. If a limit of --fail-on fails, the exit code of the tool
/// is 1.
[[nodiscard]] Rows collectDiff(const Request &request);
/// Checks a profile against the limits of a budget file (Limits.hpp). If a limit fails, the exit code of the tool is 1.
[[nodiscard]] Rows collectCheck(const Request &request);
[[nodiscard]] Rows collectNumbers(const Request &request);

} // namespace popscope
