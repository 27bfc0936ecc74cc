// ClassifyEdges: where each edge of a compute set finds its data. In place when the view is one run in a home on the
// vertex's own tile, aligned as the field asks; otherwise in a buffer.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

#include <deque>

namespace popscope {

struct PlacedEdge {
  RunList view;
  std::uint32_t vertex = 0; // position in PlacedVertices::order
  std::uint16_t field = 0;
  std::uint32_t subIndex = 0;
  TileId tile;
  bool reads = false, writes = false, interleaved = false;
  bool buffered = false; // home and offset are set when the buffer is made
  std::uint32_t alignment = 1;
  HomeId home; // invalid: the edge is empty
  std::uint64_t offset = 0, elements = 0;
};
struct PlacedVertices {
  std::vector<VertexId> order;          // by (tile, order of addition)
  std::vector<std::uint32_t> firstEdge; // per vertex and one more, into edges
  std::vector<PlacedEdge> edges;
  std::deque<std::vector<ViewRun>> joined; // views of vectors that were connected element by element
};

/// Edges in the order of (vertex, field, subIndex). Parallel inside; the result does not depend on it.
PlacedVertices classifyEdges(const LoweringContext &context, ComputeSetId computeSet);

} // namespace popscope
