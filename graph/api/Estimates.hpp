// Declares estimateVertices() of GraphAccess with a number of threads, for the compiler.
#pragma once
#include "base/Parallel.hpp"
#include "graph/api/GraphAccess.hpp"

namespace popscope {

/// Estimators are called on these threads.
[[nodiscard]] VertexEstimates estimateVertices(const poplar::Graph &graph, Threads threads);

} // namespace popscope
