// Checks invariants A4 and A5 of a layout. Divides the tile's addresses at the borders of allocations and regions, and
// computes the totals a second time from these ranges.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Appends each difference between the totals of the tile's `allocations` and `claimed` to `findings`.
void checkTileTotals(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, TileId tile,
                     const std::vector<Allocation> &allocations, const TileMemory &claimed,
                     std::vector<std::string> &findings);

/// Returns the region of an address, or Overflowed if the address lies outside of memory.
AllocationRegion regionOfAddress(const TileMachine &machine, std::uint64_t address);

} // namespace popscope
