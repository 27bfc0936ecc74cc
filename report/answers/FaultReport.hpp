// popscope info --report: the data that is needed to reproduce a reported fault.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the versions, the compiler and the system. With a profile, also returns the machine and the options of the
/// profile, and numbers such as the number of vertices.
[[nodiscard]] Rows collectFaultReport(const Request &request);

} // namespace popscope
