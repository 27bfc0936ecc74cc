// Calls the estimators that a program registered for the vertices of its graph.
#pragma once
#include "base/Parallel.hpp"
#include "graph/api/GraphAccess.hpp"

namespace popscope {

/// Returns the estimates of every vertex with an explicit estimate or a registered estimator. Floating-point operations
/// are known if both were given: setCycleEstimate and registerCycleEstimator do not include them. Calls estimators on
/// several threads for many vertices. Rethrows an estimator's exception, that of the first vertex first.
[[nodiscard]] VertexEstimates estimateVertices(const poplar::Graph &graph, Threads threads = {});

} // namespace popscope
