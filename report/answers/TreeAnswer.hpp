// The programs as a tree. Each row shows the cycles of one program in the selected runs, including the cycles of the
// program's children.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTree(const Request &request);

} // namespace popscope
