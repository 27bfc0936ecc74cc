// SlotCycles: the load of each tile's worker slots in one executed compute set, so that the step can be re-simulated.
//
//   tile cycles of tiles[i] = slots * (the fullest slot's thread cycles) + supervisor[i]
//
// For another number of slots the vertices are dealt again: in their order, each to the least loaded slot. If no tile
// has more vertices than slots, each slot holds one, in order, and nothing else is kept.
#pragma once
#include "base/Units.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Consecutive worker vertices, in the order of dealing, with equal cycles.
struct DealtRun {
  Cycles threadCycles; // of one vertex
  std::uint64_t vertices = 0;
  bool operator==(const DealtRun &) const = default;
};

struct SlotCycles {
  std::uint32_t slots = 0;                  // worker contexts of a tile
  std::vector<std::uint32_t> tiles;         // tiles with vertices, ascending
  std::vector<Cycles> threadCycles;         // slot s of tiles[i] is at [i * slots + s]
  std::vector<Cycles> supervisor;           // tile cycles of vertices that own tiles[i]
  std::vector<std::vector<DealtRun>> dealt; // vertices dealt to the slots of tiles[i], in order; empty: one vertex per
                                            // slot, in order
};

} // namespace popscope
