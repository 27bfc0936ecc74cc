// The array rule on the StepProgram's control-flow graph: a variable is killed only where one source (compute set
// occurrence or copy) writes all its elements before reading any: at the source's first step by which its writes cover
// the variable, if no earlier step of it reads. So a message dies at the exchange that fills it, though an InOut vertex
// reads and writes it next. A partial write neither kills nor uses; WriteUndef of the whole variable kills; reads use.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/LiveRanges.hpp"

namespace popscope {

struct LivenessOptions {
  Threads threads;
};

/// Parallel over variables. Cost: that of VariableExplorer for each; memory: accesses and intervals.
LiveRanges analyseLiveness(const StepProgram &program, const LivenessOptions &options = {});

} // namespace popscope
