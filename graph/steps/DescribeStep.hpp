// DescribeStep: the text by which messages name a step of a lowered program.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <string>

namespace popscope {

/// Returns the number, the kind and the name of a step: "step 7, OnTileExecute 'add'".
[[nodiscard]] std::string describeStep(const StepProgram &program, StepIndex step);

} // namespace popscope
