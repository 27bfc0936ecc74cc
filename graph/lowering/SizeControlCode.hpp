// SizeControlCode: computes the bytes of control code of every step on every tile, from the machine's CodeModel. A step
// has one size for every tile, and rows with additional bytes for single tiles.
#pragma once
#include "graph/lowering/Lower.hpp"

namespace popscope {

void sizeControlCode(StepProgram &program, const TileMachine &machine, const LoweringOptions &options);

} // namespace popscope
