// popscope stats: a named report (RecordReports), filtered and grouped, with statistics of each group.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectStats(const Request &request);

} // namespace popscope
