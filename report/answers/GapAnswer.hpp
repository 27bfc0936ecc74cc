// popscope gap: for each tile, the difference between the tile's highest address and the most bytes that the tile needs
// at one time, split by cause.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectGap(const Request &request);

} // namespace popscope
