// Computes the totals of one tile from its placed allocations.
#pragma once
#include "liveness/data/Layout.hpp"
#include "liveness/layout/MemoryZones.hpp"

#include <functional>
#include <span>

namespace popscope {

/// The contribution of one allocation to the live bytes of its tile. An allocation that is not a home is always live.
struct LiveRole {
  LiveClassId live{1};
  bool always = true;
};

/// Sets Allocation::overlapped of each allocation. `allocations` must have ascending addresses.
void markOverlapped(std::span<Allocation> allocations);

/// Returns the tile's totals. `allocations` must have ascending addresses, and markOverlapped() must have set
/// `overlapped` of each allocation. `roleOf` returns the LiveRole of an allocation of a home.
TileMemory summariseTile(std::span<const Allocation> allocations,
                         const std::function<LiveRole(const Allocation &)> &roleOf, const LiveRanges &ranges,
                         const MemoryZones &zones);

} // namespace popscope
