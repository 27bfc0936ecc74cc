// ExecutionOrder: the compute sets of programs in the order in which they execute.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <vector>

namespace popscope {

/// Returns the compute sets in the order in which the programs first execute them; functions count where they are
/// called.
std::vector<ComputeSetId> executionOrder(const GraphIr &ir, const std::vector<ProgramPtr> &programs);

} // namespace popscope
