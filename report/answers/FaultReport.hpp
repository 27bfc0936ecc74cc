// popscope info --report: what a report of a fault needs to be followed elsewhere.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Versions, compiler, system, and of the profile, where one is given, its machine, sizes and options.
[[nodiscard]] Rows collectFaultReport(const Request &request);

} // namespace popscope
