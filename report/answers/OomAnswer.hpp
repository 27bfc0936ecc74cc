// popscope oom: the tiles that do not fit, and the reasons why these tiles do not fit. The answer also shows the
// contents of the worst of these tiles, and the variables to shrink (LeastCuts.hpp).
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectOom(const Request &request);

} // namespace popscope
