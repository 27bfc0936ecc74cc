// What a level of instrumentation cannot know is left out of the records.
//
//   level    cycles of a compute set     by tile   by vertex type, idle threads
//   vertex   yes                         yes       yes
//   tile     yes                         yes       no
//   ipu      longest tile of each IPU    no        no
//   device   longest tile of all         no        no
//
// Internal exchange is scheduled at compile time and therefore always known. Of a kind that the user does not want
// (RecordedDetail::kinds) nothing is.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// Steps of this kind have a time: none of RecordedDetail::kinds leaves it out.
[[nodiscard]] inline bool records(const RecordedDetail &detail, TimeKind kind) {
  return (detail.kinds >> static_cast<unsigned>(kind) & 1U) != 0;
}
void limitDetail(const RecordedDetail &detail, TimeKind kind, StepRecord &record);
/// Sums over tiles need every tile.
void limitDetail(const RecordedDetail &detail, RunTotals &totals);

} // namespace popscope
