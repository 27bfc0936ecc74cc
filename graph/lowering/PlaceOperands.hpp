// PlaceOperands: buffers of the operands that are not used in place, and what moves to and from them.
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

namespace popscope {

/// Sets parts.placed and the moves of the parts: receive and gather before the compute set, scatter and send after it.
/// Appends the operands, buffers and homes to the program; parallel inside, with the same result for any number of
/// threads.
void placeOperands(LoweringContext &context, ExecuteParts &parts);

} // namespace popscope
