// popscope stats: a named report (RecordReports), filtered, grouped and described.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectStats(const Request &request);

} // namespace popscope
