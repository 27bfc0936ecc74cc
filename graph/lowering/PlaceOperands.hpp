// PlaceOperands: places the operands of a prepared compute set in the tables, gives homes to the buffers of the set,
// and collects the moves to and from these buffers. Empties `prepared`, except for the parts that the rows of vertices
// need later.
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

namespace popscope {

/// Sets the moves of `parts`, and `parts.placed`. Afterwards, the vertices in `parts.placed` have their final
/// firstEdge.
void placeOperands(LoweringContext &context, PreparedExecute prepared, ExecuteParts &parts);

} // namespace popscope
