// CountFlops: estimates of floating-point operations by vertex -> sums by compute set and vertex type.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

namespace popscope {

/// Fills StepProgram::typeFlops. Throws poplar::overflow_error where a sum takes more than 63 bits.
void countFlops(LoweringContext &context);

} // namespace popscope
