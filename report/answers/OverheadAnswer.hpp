// The memory and time that instrumentation took, from the profile alone:
//
//   Instrumentation: compute by tile, external exchange, control flow.
//
//   Memory that it took
//   What           Bytes
//   results        4,864
//   control code  24,320
//
//   Time that it took
//   What                                       Tile cycles  Of all
//   counters of compute and external exchange       12,160    0.1%
//   control flow                                        17    0.0%
//
// "results" are the allocations of category instrumentationResults.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectOverheadAnswer(const Request &request);

} // namespace popscope
