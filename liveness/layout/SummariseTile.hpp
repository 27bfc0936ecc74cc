// Totals of one tile from its placed allocations.
#pragma once
#include "liveness/data/Layout.hpp"
#include "liveness/layout/MemoryZones.hpp"

#include <functional>
#include <span>

namespace popscope {

/// What one allocation adds to the live bytes of its tile. Things that are no variable are always live.
struct LiveRole {
  LiveClassId live{1};
  bool always = true;
};

/// Sets `overlapped` of each allocation. `allocations` in ascending addresses.
void markOverlapped(std::span<Allocation> allocations);

/// `allocations` in ascending addresses with `overlapped` set; `roleOf` says what each adds.
TileMemory summariseTile(std::span<const Allocation> allocations,
                         const std::function<LiveRole(const Allocation &)> &roleOf, const LiveRanges &ranges,
                         const MemoryZones &zones);

} // namespace popscope
