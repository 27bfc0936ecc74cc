// ShareBuffers: which operands of one tile lie in one buffer. An element that several vertices of a compute set read
// arrives once where their operands can overlap: one names a part of what another names, or goes on where it ends.
#pragma once
#include "graph/lowering/ClassifyEdges.hpp"

namespace popscope {

struct SharedBuffer {
  std::uint32_t firstEdge = 0; // the lowest edge that lies in it
  TileId tile;
  bool reads = false, writes = false, interleaved = false;
  std::uint32_t alignment = 1;
  std::vector<ViewRun> runs; // all elements, in the order of the buffer
  [[nodiscard]] RunList view() const { return {runs.data(), runs.size()}; }
};
struct SharedBuffers {
  static constexpr std::uint32_t kNone = ~0u;
  struct Place {
    std::uint32_t buffer = kNone;
    std::uint64_t element = 0;
  };
  std::vector<SharedBuffer> buffers; // by firstEdge
  std::vector<Place> places;         // one an edge; kNone for edges without a buffer
};

/// Parallel by tile; the result does not depend on the number of threads.
SharedBuffers shareBuffers(const LoweringContext &context, const std::vector<PlacedEdge> &edges);

} // namespace popscope
