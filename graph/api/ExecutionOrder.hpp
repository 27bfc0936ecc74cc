// ExecutionOrder: the compute sets of programs in the order in which they execute.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <vector>

namespace popscope {

/// Returns each compute set once, in the order in which the programs first execute them. The compute sets of a function
/// come at the position of its first call.
std::vector<ComputeSetId> executionOrder(const GraphIr &ir, const std::vector<ProgramPtr> &programs);

} // namespace popscope
