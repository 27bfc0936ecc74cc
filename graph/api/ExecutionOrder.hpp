// ExecutionOrder: lists the compute sets of programs in the order of execution.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <vector>

namespace popscope {

/// Returns the compute sets of the programs, each once, in the order of first execution. The compute sets of all
/// branches of an If or Switch are in the result. The compute sets of a function come at the position of the function's
/// first call.
std::vector<ComputeSetId> executionOrder(const GraphIr &ir, const std::vector<ProgramPtr> &programs);

} // namespace popscope
