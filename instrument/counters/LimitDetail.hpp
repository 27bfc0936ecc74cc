// What a level of instrumentation cannot know is left out of the records.
//
//   level    cycles of a compute set     by tile   by vertex type, idle threads
//   vertex   yes                         yes       yes
//   tile     yes                         yes       no
//   ipu      longest tile of each IPU    no        no
//   device   longest tile of all         no        no
//
// Internal exchange is scheduled at compile time and therefore always known.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

void limitDetail(const RecordedDetail &detail, TimeKind kind, StepRecord &record);
/// Sums over tiles need every tile.
void limitDetail(const RecordedDetail &detail, RunTotals &totals);

} // namespace popscope
