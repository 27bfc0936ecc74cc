// Exchanges: the data that each moves, what bounds it, and the tiles that send and receive most.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectExchange(const Request &request);

} // namespace popscope
