// SlotCycles: what the worker slots of each tile did in one executed compute set, so that the step can be costed again.
//
//   tile cycles of tiles[i] = slots * (the fullest slot's thread cycles) + supervisor[i]
//
// For another number of slots the vertices are dealt again: in their order, each to the least loaded slot. Where no
// tile has more of them than slots, each slot holds one, in their order, and nothing more is kept.
#pragma once
#include "base/Units.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Worker vertices that follow each other in the order of dealing and take as long.
struct DealtRun {
  Cycles threadCycles; // of one vertex
  std::uint64_t vertices = 0;
  bool operator==(const DealtRun &) const = default;
};

struct SlotCycles {
  std::uint32_t slots = 0;                  // worker contexts of a tile
  std::vector<std::uint32_t> tiles;         // with vertices, ascending
  std::vector<Cycles> threadCycles;         // of slot s on tiles[i]: [i * slots + s]
  std::vector<Cycles> supervisor;           // tile cycles of vertices that own tiles[i]
  std::vector<std::vector<DealtRun>> dealt; // to the slots of tiles[i], in order; empty, or none of any tile: a vertex
                                            // a slot, in order
};

} // namespace popscope
