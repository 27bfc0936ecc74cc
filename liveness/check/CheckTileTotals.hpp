// Checks A4 and A5: adds up a tile's totals again, address range by address range between neighbouring borders of
// allocations and regions.
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

/// Returns the machine's region of one address; outside of memory, Overflowed.
AllocationRegion regionOfAddress(const TileMachine &machine, std::uint64_t address);

} // namespace popscope
