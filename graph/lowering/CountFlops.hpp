// CountFlops: sums the estimated floating-point operations of vertices by compute set and vertex type.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"

namespace popscope {

/// Returns the estimated number of floating-point operations of the vertex, or a negative number if no estimate is
/// known. `estimates` has the results of estimators by vertex id; vertices past the end of `estimates` have no result.
[[nodiscard]] std::int64_t estimatedFlops(const GraphVertex &vertex, const std::vector<std::int64_t> &estimates);

/// Fills StepProgram::typeFlops. Throws poplar::overflow_error if a sum takes more than 63 bits.
void countFlops(StepProgram &program, const VertexTable &vertices, const std::vector<std::int64_t> &estimates);

} // namespace popscope
