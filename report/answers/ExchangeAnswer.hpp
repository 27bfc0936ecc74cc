// popscope exchange: the data, cycles, code and busiest tile of each exchange and host copy, the tiles that send and
// receive most, and the traffic between tiles.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectExchange(const Request &request);

} // namespace popscope
