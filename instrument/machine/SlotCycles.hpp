// SlotCycles: the loads of each tile's worker slots in one executed compute set. A re-simulation of the step needs
// these loads.
//
//   tile cycles of tiles[i] = slots * (the fullest slot's thread cycles) + supervisor[i]
//
// For another number of slots, a re-simulation assigns the vertices in the same order, each to the least loaded slot.
// SlotCycles::dealt leaves out worker vertices that take no cycles. If at most `slots` worker vertices of a tile take
// cycles, vertex i is alone in slot i, and the order is not stored.
#pragma once
#include "base/Units.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Consecutive worker vertices with equal cycles, in the order in which they are assigned to the worker slots.
struct DealtRun {
  Cycles threadCycles; // thread cycles of one vertex
  std::uint64_t vertices = 0;
  bool operator==(const DealtRun &) const = default;
};

struct SlotCycles {
  std::uint32_t slots = 0;                  // number of worker contexts of a tile
  std::vector<std::uint32_t> tiles;         // tiles with vertices, ascending
  std::vector<Cycles> threadCycles;         // thread cycles of slot s of tiles[i], at index i * slots + s
  std::vector<Cycles> supervisor;           // tile cycles of supervisor vertices on tiles[i]
  std::vector<std::vector<DealtRun>> dealt; // for tiles[i]: the vertices in the order in which they are assigned to the
                                            // slots; empty = vertex i is alone in slot i. The outer list is empty if it
                                            // would contain only empty lists
};

} // namespace popscope
