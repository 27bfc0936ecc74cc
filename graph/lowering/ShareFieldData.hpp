// ShareFieldData: makes a tile store equal field data of several vertices once if no codelet can write the data. Two
// kinds of field data qualify: tables of pointers to the same operands, and state vectors that are declared const and
// have the same values.
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"

namespace popscope {

/// Fills StepProgram::sharedData and sharedUses, and removes the bytes of the shared data from the footprints of the
/// vertices.
void shareFieldData(StepProgram &program, const CodeletSet &codelets, const std::string &architecture);

} // namespace popscope
