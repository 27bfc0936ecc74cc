// Removes from the records what a level of instrumentation cannot know.
//
//   level    cycles of a compute set     per tile  per vertex type, idle threads
//   vertex   yes                         yes       yes
//   tile     yes                         yes       no
//   ipu      longest tile of each IPU    no        no
//   device   longest tile of all         no        no
//
// Internal exchange is scheduled at compile time and therefore always known. A kind that the user excludes
// (RecordedDetail::kinds) has no times at all.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// Returns whether steps of this kind have times: RecordedDetail::kinds contains the kind.
[[nodiscard]] inline bool records(const RecordedDetail &detail, TimeKind kind) {
  return (detail.kinds >> static_cast<unsigned>(kind) & 1U) != 0;
}
void limitDetail(const RecordedDetail &detail, TimeKind kind, StepRecord &record);
/// Removes sums over tiles that need every tile.
void limitDetail(const RecordedDetail &detail, RunTotals &totals);

} // namespace popscope
