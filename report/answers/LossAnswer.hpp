// The causes of the cycles of all tiles. The cycles of the causes add up to the number of tiles times the total cycles.
// The causes are: threads at work, idle threads, waits within compute sets, exchanges, host copies and barriers, and
// the reading of counters.
//
//   1,216 tiles for 952,965 cycles are 1,158,805,440 tile cycles; each of them has one of these causes.
//
//   Where they went
//   Cause                              Tile cycles  Share
//   compute: threads at work           126,744,438  10.9%
//   compute: idle threads                  381,420   0.0%
//   compute: waiting for slower tiles  ...
//
// The cause of a wait is the work that the tile that arrives last does during the wait (CriticalPath.hpp). If the run
// cannot be replayed, the wait of a step is computed from the cycles that the step adds to its run (StepTimes.hpp). The
// wait is the number of tiles times these cycles, minus the work of the step's tiles. If the work is more than the
// number of tiles times these cycles, the tiles did the excess work while earlier steps ran. The excess reduces the
// waits of the earlier steps.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectLoss(const Request &request);

} // namespace popscope
