// The lengths of the recorded runs on a grid of machines, for the sliders of the viewer's page. Each point equals the
// answer of `popscope whatif` with the three settings of the point: --workers, --exchange-bytes-per-cycle and
// --sync-delay.
//
//   Workers  Bytes per cycle  Sync  Cycles   Compute  Exchange  ...
//         3                4    64  890,881  578,944    40,880
//         6                4    64  752,643  440,706    40,880
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the grid of machines as a view for pageAnswers; no command prints this view. For a profile with many steps
/// and tiles, the grid contains only the machines that differ from the recorded machine in at most one of the three
/// settings.
[[nodiscard]] const ViewRow &whatIfGridView();

} // namespace popscope
