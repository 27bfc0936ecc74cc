// SlotCycles: what the worker slots of each tile did in one executed compute set, so that the step can be costed again.
//
//   tile cycles of tiles[i] = slots * (the fullest slot's thread cycles) + supervisor[i]
#pragma once
#include <cstdint>
#include <vector>

namespace popscope {

struct SlotCycles {
  std::uint32_t slots = 0;                 // worker contexts of a tile
  std::vector<std::uint32_t> tiles;        // with vertices, ascending
  std::vector<std::uint64_t> threadCycles; // of slot s on tiles[i]: [i * slots + s]
  std::vector<std::uint64_t> supervisor;   // tile cycles of vertices that own tiles[i]
};

} // namespace popscope
