// Exchanges: the data that each exchange moves, the bound of its time, and the tiles that send and receive most.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectExchange(const Request &request);

} // namespace popscope
