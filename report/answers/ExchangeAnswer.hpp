// Exchanges: the data, cycles, code and busiest tile of each exchange, and the tiles that send and receive most.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectExchange(const Request &request);

} // namespace popscope
