// The causes of the cycles of all tiles, without a remainder: tiles x total cycles, split into working threads, idle
// threads, waits within compute sets, exchanges, host copies and barriers, and counters.
//
//   Where 1,158,805,440 tile cycles went
//   Cause                                      Tile cycles  Share
//   threads at work                            126,744,438  10.9%
//   idle threads                                   381,420   0.0%
//   waiting for slower tiles of a compute set  ...
//
// Waiting is split by the part of a step in the length of its run (StepTimes.hpp): tiles x part minus the work of its
// tiles.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectLoss(const Request &request);

} // namespace popscope
