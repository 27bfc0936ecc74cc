// ShareFieldData: field data that no codelet can write and that is equal for several vertices of one tile exists once:
// tables of pointers to the same operands, and state vectors declared const with the same values.
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"

namespace popscope {

/// Fills StepProgram::sharedData and removes their bytes from the vertices' footprints.
void shareFieldData(StepProgram &program, const CodeletSet &codelets, const std::string &architecture);

} // namespace popscope
