// popscope operators: one table of the executed steps that compute or move data, in the form of the profilers of
// machine-learning frameworks.
//
//   Name           Type    Executions  Self time  Cumulative  Of all  FLOPs  FLOPs are         FLOP/s  Memory  ...
//   Layer1/Fwd/mm  MatMul           2    1.25 us     1.25 us    5.0%  8,192  counted    6,553,600,000  12,288  ...
//
// The next columns are Bytes/s, Inputs (for example "in: 4 x float[8]") and Outputs.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Collects the answer. Reads the options "aggregate-by" (operator, type, layer), "aggregate", "order-by", "type",
/// "min-time" and "max-time". Throws AnswerError for a profile without recorded runs or without a clock rate, and for a
/// bad value of "order-by", "min-time" or "max-time".
[[nodiscard]] Rows collectOperators(const Request &request);

} // namespace popscope
