// popscope runs: the recorded runs, and the runs that were not recorded.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectRuns(const Request &request);
/// Returns whether any run has steps whose time was not recorded (popscope.profileCategories,
/// popscope::profile::Scope).
[[nodiscard]] bool someCategories(const pva::Report &report);

} // namespace popscope
