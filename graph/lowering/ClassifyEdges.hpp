// ClassifyEdges: where each operand of a compute set finds its data. In place when the view is one run in a home on the
// vertex's own tile, aligned as the field asks; otherwise in a buffer.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

#include <deque>

namespace popscope {

/// An operand that needs a buffer.
struct PlacedEdge {
  RunList view;
  std::uint32_t operand = 0; // in StepProgram::edges
  TileId tile;
  bool reads = false, writes = false, interleaved = false;
  std::uint32_t alignment = 1;
  std::uint64_t elements = 0; // not 0
};
/// What a field asks of the variable that it is connected to in place.
struct HomeDemand {
  HomeId home;
  std::uint32_t alignment = 1;
  bool interleaved = false;
};
struct PlacedVertices {
  std::vector<VertexId> order;                          // by (tile, order of addition)
  std::vector<std::uint32_t> firstOperand;              // per vertex and one more, in StepProgram::edges
  std::vector<PlacedEdge> edges;                        // in the order of operands
  std::vector<HomeDemand> demands;                      // beyond what every variable gets
  std::vector<std::deque<std::vector<ViewRun>>> joined; // views of vectors that were connected element by element
};

/// Appends the operands of the compute set to `operands`, in the order of (vertex, field, subIndex). Those with a
/// buffer have no home yet. Parallel inside; the result does not depend on it.
PlacedVertices classifyEdges(const LoweringContext &context, ComputeSetId computeSet,
                             std::vector<VertexEdge> &operands);

} // namespace popscope
