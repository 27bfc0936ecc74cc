// popscope gap: the difference between each tile's packed size and its most bytes at one time, by cause.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectGap(const Request &request);

} // namespace popscope
