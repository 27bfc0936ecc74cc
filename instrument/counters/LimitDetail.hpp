// Removes from records the data that a level of instrumentation does not measure.
//
//   level    cycles of a compute set     per tile  per vertex type, idle threads
//   vertex   yes                         yes       yes
//   tile     yes                         yes       no
//   ipu      slowest tile of each IPU    no        no
//   device   slowest tile of all         no        no
//   nothing  no                          no        no
//
// The compiler schedules internal exchanges, so the cycles of internal exchanges are known at every level. If
// RecordedDetail::external is false, the phases of host copies and the exchanges between IPUs have no times. At the
// level "nothing", the start times of all steps are unknown. Steps of a kind that the user excludes
// (RecordedDetail::kinds) have no times. A step that executes vertices with unknown cycles has no times at any level,
// because the machine's clock leaves these vertices out.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// Returns whether RecordedDetail::kinds contains the kind. Steps of other kinds have no times.
[[nodiscard]] inline bool records(const RecordedDetail &detail, TimeKind kind) {
  return (detail.kinds >> static_cast<unsigned>(kind) & 1U) != 0;
}
/// Removes from the record of a step the data that `detail` does not measure. `counters` are the counters that measure
/// the step (StepKindRow of the step's kind).
void limitDetail(const RecordedDetail &detail, TimeKind kind, StepCounters counters, StepRecord &record);
/// Marks the totals that are unknown at the level of `detail`, and removes unknown thread cycles.
void limitDetail(const RecordedDetail &detail, RunTotals &totals);

} // namespace popscope
