// The largest compute sets, steps, vertex types, variables, tiles or operations, by cycles, bytes, code or vertices.
//
//   Compute sets by cycles
//   Name                 Executions   Cycles   Of all  Tiles busy  Threads busy  Vertices
//   Layer1/Fwd/Multiply          20  218,040    22.9%       30.1%        100.0%       392
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTop(const Request &request);

} // namespace popscope
