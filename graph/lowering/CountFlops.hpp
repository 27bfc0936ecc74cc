// CountFlops: estimates of floating-point operations by vertex -> sums by compute set and vertex type.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"

namespace popscope {

/// Fills StepProgram::typeFlops. `estimates`: of estimators, by vertex id, negative = none; vertices behind its end
/// have none. Throws poplar::overflow_error where a sum takes more than 63 bits.
void countFlops(StepProgram &program, const VertexTable &vertices, const std::vector<std::int64_t> &estimates);

} // namespace popscope
