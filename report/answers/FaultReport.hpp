// popscope info --report: the data that is needed to reproduce a reported fault.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Returns versions, compiler and system, and, for a profile, its machine, sizes and options.
[[nodiscard]] Rows collectFaultReport(const Request &request);

} // namespace popscope
