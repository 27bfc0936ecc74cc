// What if the machine were another one: the recorded runs costed again.
//
//   2 runs take 56,014 cycles with the other machine, 3,388 less than the 59,402 recorded.
//   Constant                 Recorded  Other
//   /exchange/bytesPerCycle  4         8
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectWhatIf(const Request &request);
[[nodiscard]] Rows collectSensitivity(const Request &request);
/// The sub-commands, as views() has others.
[[nodiscard]] const std::vector<ViewRow> &whatIfViews();

} // namespace popscope
