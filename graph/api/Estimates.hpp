// estimateVertices() of GraphAccess on a number of threads, for who compiles.
#pragma once
#include "base/Parallel.hpp"
#include "graph/api/GraphAccess.hpp"

namespace popscope {

/// Estimators are called on these threads.
[[nodiscard]] VertexEstimates estimateVertices(const poplar::Graph &graph, Threads threads);

} // namespace popscope
