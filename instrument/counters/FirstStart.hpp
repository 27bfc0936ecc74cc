// When a step begins to work.
#pragma once
#include "instrument/machine/Events.hpp"

#include <algorithm>

namespace popscope {

/// When its first active tile starts; where nobody works, when all have come.
inline std::uint64_t firstStart(const StepEvent &event) {
  std::uint64_t start = ~std::uint64_t(0);
  for (std::size_t t = 0; t < event.busy.size(); ++t)
    if (event.busy[t] != 0)
      start = std::min(start, event.start[t]);
  return start != ~std::uint64_t(0) || event.begin.empty() ? start
                                                           : *std::max_element(event.begin.begin(), event.begin.end());
}

} // namespace popscope
