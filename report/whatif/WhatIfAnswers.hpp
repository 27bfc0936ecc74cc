// popscope whatif and popscope sensitivity: the recorded runs, re-simulated on other machines.
//
//   2 runs take 56,014 cycles with the other machine, 3,388 less than the 59,402 recorded.
//   Constant                 Recorded  Other
//   /exchange/bytesPerCycle  4         8
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectWhatIf(const Request &request);
[[nodiscard]] Rows collectSensitivity(const Request &request);
/// Returns the sub-commands as rows of the same form as views().
[[nodiscard]] const std::vector<ViewRow> &whatIfViews();

} // namespace popscope
