// popscope gap: the difference between the packing of each tile and the bytes that exist at one time, by cause.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectGap(const Request &request);

} // namespace popscope
