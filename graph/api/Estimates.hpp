// estimateVertices() of GraphAccess on a number of threads, for who compiles.
#pragma once
#include "base/Parallel.hpp"
#include "graph/api/GraphAccess.hpp"

namespace popscope {

/// Estimators are called on these threads. `flops` may be null.
[[nodiscard]] VertexEstimates estimateVertices(const poplar::Graph &graph, std::vector<std::int64_t> *flops,
                                               Threads threads);

} // namespace popscope
