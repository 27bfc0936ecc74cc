// Homes that are live or occupied at other steps than their variable: within the steps of one source each home follows
// what happens on its own tile (LiveRanges has the rule). Between sources it is the variable that lives.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

namespace popscope {

/// Fills homeLives and split, adds the classes that homes need, and takes what does not live there from liveBytes. The
/// other tables of `ranges` are complete; `context` is that of `flow`. Parallel over variables. Cost: a look at the
/// accesses of each variable with several homes that is not always live; where the homes may differ, also the ranges of
/// the accesses by the source, and the homes touched, n log n.
void findHomeLives(const AccessContext &context, const FlowGraph &flow, Threads threads, LiveRanges &ranges);

} // namespace popscope
