// Computes the start and the duration of a step's work, and whether the duration is known.
#pragma once
#include "base/Extent.hpp"
#include "instrument/machine/Events.hpp"

#include <algorithm>

namespace popscope {

/// Returns the cycle at which the step's first active tile starts to work. If no tile is active, returns the cycle at
/// which the last tile enters the step. If no tile is active and the event has no `begin` times, returns 2^64 - 1.
inline Cycles firstStart(const StepEvent &event) {
  constexpr Cycles kNever(~std::uint64_t(0));
  Cycles start = kNever;
  for (std::size_t t = 0; t < event.busy.size(); ++t)
    if (event.busy[t] != Cycles())
      start = std::min(start, event.start[t]);
  if (start == kNever && event.begin.empty())
    return start;
  return event.origin + (start != kNever ? start : mostOf(event.begin));
}

/// Returns the cycles for which the slowest tile works on the step.
inline Cycles longestWork(const StepEvent &event) {
  return event.pattern ? event.pattern->work->longest : mostOf(event.busy);
}

/// Returns whether the cycles of all vertices that the step executes are known. The work and the times of an event
/// leave out vertices with unknown cycles.
inline bool cyclesKnown(const StepEvent &event) {
  return std::all_of(event.types.begin(), event.types.end(), [](const auto &type) { return type.cycles.has_value(); });
}

} // namespace popscope
