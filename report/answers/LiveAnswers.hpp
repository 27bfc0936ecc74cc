// What is live: at the step where most is, at any step, against another step, and every variable with the steps at
// which it lives.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// The steps with most live bytes, over all tiles or on the tiles chosen, and what is live at the first of them.
[[nodiscard]] Rows collectPeak(const Request &request);
/// What is live at step --at; with --vs what is new and what has gone since then.
[[nodiscard]] Rows collectLive(const Request &request);
/// Variables by name.
[[nodiscard]] Rows collectVars(const Request &request);

} // namespace popscope
