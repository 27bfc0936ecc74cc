// The sources of the vertices' cycles in the recorded runs:
//
//   Compute set    Vertex type    Source      Vertices  Why
//   forward        Dot            estimator        392
//   update         Step           unknown            8  no stand-in: Step.cpp:3:10: ...
//
// Sources, from the most direct to the least direct: estimate (setPerfEstimate), estimator (registered), codelet
// (getCycleEstimate), stand-in (instructions counted), last known (counted earlier for the same vertex or for one of
// the same type and sizes), runtime (copy vertices). "unknown" means that none of these sources applied.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectSourcesAnswer(const Request &request);

} // namespace popscope
