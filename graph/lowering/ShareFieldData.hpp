// ShareFieldData: field data that no codelet can write and that is equal for several vertices of one tile exists once:
// tables of pointers to the same operands, and state vectors declared const with the same values.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

namespace popscope {

/// Fills StepProgram::sharedData and takes the bytes out of the vertices' footprints.
void shareFieldData(LoweringContext &context);

} // namespace popscope
