// popscope operators: one table of the executed steps that compute or move data, in the form of the profilers of
// machine-learning frameworks.
//
//   Name           Type    Executions  Self time  Cumulative  FLOPs       FLOP/s  Memory      Bytes/s  Inputs
//   Layer1/Fwd/mm  MatMul           2    1.25 us     1.25 us  8,192  6.5 billion  12,288  9.8 billion  in: 4 x float[8]
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Collects the answer. Reads the options "aggregate-by" (operator, type, layer), "aggregate", "order-by", "type",
/// "min-time" and "max-time". Throws AnswerError for a profile without recorded runs or without a clock rate, and for a
/// bad value of "order-by", "min-time" or "max-time".
[[nodiscard]] Rows collectOperators(const Request &request);

} // namespace popscope
