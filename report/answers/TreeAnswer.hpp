// The programs as a tree, with what each took in the recorded runs, children included.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTree(const Request &request);

} // namespace popscope
