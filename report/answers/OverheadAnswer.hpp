// The memory and time that instrumentation took, from the profile alone:
//
//   Instrumentation: compute by tile, external exchange, control flow; 1 recorded run.
//
//   Memory that it took          Time that it took
//   What           Bytes         What           Tile cycles  Of all
//   results        4,864         counter reads       12,160    0.1%
//   control code  24,320         control flow            17    0.0%
//
// "results" are the allocations of category instrumentationResults.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectOverheadAnswer(const Request &request);

} // namespace popscope
