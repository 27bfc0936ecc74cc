// Answers about live variables: the variables at the step with the most live bytes or at a requested step, the
// difference between two steps, and the steps at which each variable is live.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the steps with the most live bytes, over all tiles or on the selected tiles. Also returns the variables that
/// are live at the first of these steps.
[[nodiscard]] Rows collectPeak(const Request &request);
/// Returns the variables that are live at the step of --at or, without --at, at the step with the most live bytes. With
/// --vs, returns instead the variables whose live bytes at the step of --vs differ from those at the step of --at.
[[nodiscard]] Rows collectLive(const Request &request);
/// Returns the variables that --name and the view's argument select, each with the steps at which the variable is live.
/// If a pattern selects at most 32 variables, also returns the accesses of programs to these variables, or a note if
/// the profile does not contain the accesses.
[[nodiscard]] Rows collectVars(const Request &request);

} // namespace popscope
