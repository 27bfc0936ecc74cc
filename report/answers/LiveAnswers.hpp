// Live variables: at the step with most live bytes, at any step, compared with another step, and all variables with the
// steps at which they live.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the steps with most live bytes, over all tiles or on the selected tiles, and what is live at the first of
/// them.
[[nodiscard]] Rows collectPeak(const Request &request);
/// Returns what is live at step --at; with --vs also the variables that became live or died since that step.
[[nodiscard]] Rows collectLive(const Request &request);
/// Returns variables by name.
[[nodiscard]] Rows collectVars(const Request &request);

} // namespace popscope
