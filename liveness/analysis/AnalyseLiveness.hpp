// Computes the liveness of variables on the control-flow graph of a StepProgram, by the array rule.
//
// The array rule: a source (one occurrence of a compute set, or one copy) kills a variable only if the source writes
// all elements. The kill happens at the first step by which the source's writes cover the variable. If an earlier step
// of the source reads the variable, there is no kill. Therefore the exchange that fills a message kills the message,
// even if an InOut vertex of the same source later reads and writes the message. A partial write neither kills nor uses
// the variable. A WriteUndef of the whole variable kills the variable. A read uses the variable.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/LiveRanges.hpp"

namespace popscope {

/// Returns the live ranges of all variables and homes. Runs in parallel over variables. Time: O(n log n) for n steps,
/// and linear in accesses. In addition, each variable takes at most the time of interpretAccesses(),
/// RegionWalker::walk() and VariableExplorer::walk(). All variables together also take the time of
/// FunctionPasses::complete() and findHomeLives(). Memory: the flow graph, one record per access, and the intervals of
/// the result.
LiveRanges analyseLiveness(const StepProgram &program, Threads threads = {});

} // namespace popscope
