// Calls the estimators that a program registered for the vertices of its graph.
#pragma once
#include "base/Parallel.hpp"
#include "graph/api/GraphAccess.hpp"

namespace popscope {

/// Returns the estimates of every vertex with an explicit estimate or a registered estimator. Floating-point operations
/// are unknown if the estimate comes from setCycleEstimate or registerCycleEstimator, which give cycles only. For many
/// vertices, calls estimators on several threads. If estimators throw, rethrows the exception of the first vertex whose
/// estimator throws.
[[nodiscard]] VertexEstimates estimateVertices(const poplar::Graph &graph, Threads threads = {});

} // namespace popscope
