// SizeControlCode: bytes of control code of every step on every tile, from the machine's CodeModel. A step's rows add
// to what every tile has.
#pragma once
#include "graph/lowering/Lower.hpp"

namespace popscope {

void sizeControlCode(StepProgram &program, const TileMachine &machine, const LoweringOptions &options);

} // namespace popscope
