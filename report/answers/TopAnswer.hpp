// The largest compute sets, steps, operations, layers, vertex types, vertices, variables or tiles, by cycles, bytes (of
// memory or of moved data), code, number of vertices or floating-point operations.
//
//   Compute sets by cycles
//   Name                 Executions   Cycles   Of all  Tiles busy  Threads busy  Vertices
//   Layer1/Fwd/Multiply          20  218,040    22.9%       30.1%        100.0%       392
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTop(const Request &request);

} // namespace popscope
