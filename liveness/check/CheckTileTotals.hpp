// A4 and A5: a tile's totals, added up again byte border by byte border.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <string>
#include <vector>

namespace popscope {

/// `allocations` of the tile. Appends what differs from `claimed` to `findings`.
void checkTileTotals(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, TileId tile,
                     const std::vector<Allocation> &allocations, const TileMemory &claimed,
                     std::vector<std::string> &findings);

/// Region of one address: what the machine says, Overflowed outside of memory.
AllocationRegion regionOfAddress(const TileMachine &machine, std::uint64_t address);

} // namespace popscope
