// Calls the estimators that the user's program registered for the vertices of a graph.
#pragma once
#include "base/Parallel.hpp"
#include "graph/api/GraphAccess.hpp"

namespace popscope {

/// Returns the results of the registered estimators. Estimates each vertex that has an estimator for its type and no
/// estimate of its own; the result for any other vertex is -1. Returns empty vectors if no vertex type has an
/// estimator. If all estimators come from registerCycleEstimator, the vector of floating-point operations is empty.
/// Floating-point operations are also -1 (unknown) if the estimator gives 0 operations. Throws overflow_error if an
/// estimator gives more than 2^48 cycles or operations for a vertex. Calls the estimators on several threads if there
/// are many vertices. If estimators throw, rethrows the exception of the first vertex whose estimator throws.
[[nodiscard]] VertexEstimates estimateVertices(const poplar::Graph &graph, Threads threads = {});

} // namespace popscope
