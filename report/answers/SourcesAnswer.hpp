// The sources of the vertices' cycles in the recorded runs:
//
//   Compute set    Vertex type    Source      Vertices  Why
//   forward        Dot            estimator        392
//   update         Step           unknown            8  no stand-in: Step.cpp:3:10: ...
//
// The sources, from the most direct to the least direct, are:
//
//   estimate    setPerfEstimate
//   estimator   an estimator that the program registered
//   codelet     getCycleEstimate of the codelet
//   stand-in    counted instructions
//   last known  an earlier count for the same vertex, or for a vertex of the same type and operand sizes
//   runtime     the costs of copy vertices
//
// "unknown" means that none of these sources applied.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectSourcesAnswer(const Request &request);

} // namespace popscope
