// The programs as a tree, with the time of each in the recorded runs, including its children.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTree(const Request &request);

} // namespace popscope
