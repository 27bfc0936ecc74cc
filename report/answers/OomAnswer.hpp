// popscope oom: the tiles that do not fit, the causes, the contents of these tiles, and the minimum number of bytes to
// remove.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectOom(const Request &request);

} // namespace popscope
