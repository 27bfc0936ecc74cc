// Totals of one tile from its placed allocations.
#pragma once
#include "liveness/data/Layout.hpp"
#include "liveness/layout/MemoryZones.hpp"

#include <vector>

namespace popscope {

/// What one allocation adds to the live bytes of its tile. Things that are no variable are always live.
struct LiveRole {
  LiveClassId live{1};
  bool always = true;
};

/// Sets `overlapped` of each allocation. `allocations` in ascending addresses.
void markOverlapped(std::vector<Allocation> &allocations);

/// `allocations` in ascending addresses with `overlapped` set; `roles` in the same order.
TileMemory summariseTile(const std::vector<Allocation> &allocations, const std::vector<LiveRole> &roles,
                         const LiveRanges &ranges, const MemoryZones &zones);

} // namespace popscope
