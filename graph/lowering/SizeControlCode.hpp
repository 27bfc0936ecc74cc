// SizeControlCode: bytes of control code of every step on every tile, from the machine's CodeModel. A step's rows add
// to what every tile has.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

namespace popscope {

void sizeControlCode(LoweringContext &context);

} // namespace popscope
