// popscope gap: how far the packing of each tile is from the bytes that are there at one time, and what lies between.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectGap(const Request &request);

} // namespace popscope
