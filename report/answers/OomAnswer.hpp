// popscope oom: the tiles that do not fit, the causes, the contents of these tiles, and the variables to shrink
// (LeastCuts.hpp).
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectOom(const Request &request);

} // namespace popscope
