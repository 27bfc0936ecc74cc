// popscope whatif and popscope sensitivity: the recorded runs, re-simulated on other machines.
//
//   Recorded: 752,643 cycles, 470,402 ns. With the other machine: 731,569 cycles, 457,231 ns; change: ...
//   Field                    Recorded  Other machine
//   /exchange/bytesPerCycle  4         8
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectWhatIf(const Request &request);
[[nodiscard]] Rows collectSensitivity(const Request &request);
/// Returns the rows of the two sub-commands, in the form of views().
[[nodiscard]] const std::vector<ViewRow> &whatIfViews();

} // namespace popscope
