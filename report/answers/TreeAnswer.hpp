// The programs as a tree. Each program has its time in the recorded runs, including the time of its children.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTree(const Request &request);

} // namespace popscope
