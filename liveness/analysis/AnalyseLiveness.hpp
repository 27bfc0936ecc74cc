// The array rule on the StepProgram's control-flow graph: a variable is killed only at a step that completes a write
// of all its elements by one source (compute set occurrence or copy), decided at that source's last step; a partial
// write neither kills nor uses; WriteUndef of the whole variable kills; reads use.
#pragma once
#include "liveness/data/LiveRanges.hpp"

namespace popscope {

struct LivenessOptions {};

/// Parallel over variables. Cost: that of VariableExplorer for each; memory: accesses and intervals.
LiveRanges analyseLiveness(const StepProgram &program, const LivenessOptions &options = {});

} // namespace popscope
