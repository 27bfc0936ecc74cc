// SizeControlCode: computes the bytes of control code of every step on every tile, from the machine's CodeModel. For
// each step, the result has one size that holds for every tile, and rows with additional bytes of single tiles.
#pragma once
#include "graph/lowering/Lower.hpp"

namespace popscope {

void sizeControlCode(StepProgram &program, const TileMachine &machine, const LoweringOptions &options);

} // namespace popscope
