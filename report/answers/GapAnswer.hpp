// popscope gap: for each tile, the difference between its highest address and the most bytes that it needs at one time,
// split by cause.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectGap(const Request &request);

} // namespace popscope
