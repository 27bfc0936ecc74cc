// Every tile's list of allocations, without addresses.
#pragma once
#include "liveness/data/Layout.hpp"
#include "liveness/layout/MemoryZones.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Of tile t: allocations[firstOfTile[t] .. firstOfTile[t + 1]), in order of creation: stack, code, packet headers,
/// vertices, homes. `region` says what is asked for (Interleaved where it must be); addresses are 0.
struct TileProblems {
  std::vector<Allocation> allocations;
  std::vector<std::uint32_t> firstOfTile;
};

/// Parallel over tiles. Throws poplar::invalid_tile_mapping when a home has 2^32 bytes or more.
TileProblems buildProblems(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                           const LayoutOptions &options);

/// One tile's list alone.
std::vector<Allocation> buildProblem(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                                     const LayoutOptions &options, std::uint32_t tile);

/// Where an allocation of a problem asks to be.
Placement placementOf(const Allocation &allocation);

} // namespace popscope
