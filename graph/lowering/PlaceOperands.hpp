// PlaceOperands: the operands of a prepared compute set get their places in the tables, its buffers their homes, and
// what moves to and from them is known. Consumes of `prepared` all but what the rows of vertices are made of.
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

namespace popscope {

/// Sets the moves of `parts` and `parts.placed`, whose vertices then count edges from the table's beginning.
void placeOperands(LoweringContext &context, PreparedExecute prepared, ExecuteParts &parts);

} // namespace popscope
