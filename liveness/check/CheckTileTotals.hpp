// Checks invariants A4 and A5 of a layout. To check the totals, divides the tile's addresses at the borders of
// allocations and regions, and adds up the resulting ranges. To check the peaks, adds up the bytes of each step.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Appends to `findings` each difference between the totals of the tile's `allocations` and `claimed`, and each
/// identity of Layout.hpp that `claimed` violates.
void checkTileTotals(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, TileId tile,
                     const std::vector<Allocation> &allocations, const TileMemory &claimed,
                     std::vector<std::string> &findings);

/// Returns the region of an address, or Overflowed if the address lies outside of memory. On a machine without regions,
/// every address is NonInterleaved.
AllocationRegion regionOfAddress(const TileMachine &machine, std::uint64_t address);

} // namespace popscope
