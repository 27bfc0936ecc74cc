// The recorded runs, and those that were not recorded.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectRuns(const Request &request);

} // namespace popscope
