// popscope oom: the tiles that do not fit, why, what fills them, and the least that must go.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectOom(const Request &request);

} // namespace popscope
