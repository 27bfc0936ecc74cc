// PlaceOperands: places the operands of a prepared compute set in the tables, gives its buffers their homes, and
// collects the moves to and from the buffers. Empties `prepared`, except for the parts from which the rows of vertices
// are built later.
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

namespace popscope {

/// Sets the moves of `parts`, and `parts.placed`, whose vertices then have their final firstEdge.
void placeOperands(LoweringContext &context, PreparedExecute prepared, ExecuteParts &parts);

} // namespace popscope
