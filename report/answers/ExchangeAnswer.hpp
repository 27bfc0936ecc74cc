// Exchanges: how much each moves, what bounds it, and which tiles send and receive most.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectExchange(const Request &request);

} // namespace popscope
