// When a step begins to work, and for how long.
#pragma once
#include "base/Extent.hpp"
#include "instrument/machine/Events.hpp"

#include <algorithm>

namespace popscope {

/// When its first active tile starts; where nobody works, when all have come.
inline std::uint64_t firstStart(const StepEvent &event) {
  std::uint64_t start = ~std::uint64_t(0);
  for (std::size_t t = 0; t < event.busy.size(); ++t)
    if (event.busy[t] != 0)
      start = std::min(start, event.start[t]);
  if (start == ~std::uint64_t(0) && event.begin.empty())
    return start;
  return event.origin + (start != ~std::uint64_t(0) ? start : mostOf(event.begin));
}

/// The slowest tile's cycles of work.
inline std::uint64_t longestWork(const StepEvent &event) {
  return event.pattern ? event.pattern->work->longest : mostOf(event.busy);
}

} // namespace popscope
