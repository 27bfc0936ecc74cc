// popscope oom: the tiles that do not fit, why they do not, what fills them, and the fewest bytes that must go.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectOom(const Request &request);

} // namespace popscope
