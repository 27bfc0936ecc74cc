// Finds the homes that are live or occupied at other steps than their variable. Within the steps of one source, the
// accesses on a home's own tile decide whether the home is live or occupied (LiveRanges states the rule). At all other
// steps, a home is live (occupied) if and only if its variable is live (occupied).
#pragma once
#include "base/Parallel.hpp"
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

namespace popscope {

/// Fills the tables homeLives and split of `ranges`, and adds the classes that homes need. Subtracts from liveBytes the
/// bytes of each home at the steps at which only the home's variable is live. The other tables of `ranges` must be
/// complete, and `context` and `flow` must come from the same program. Runs in parallel over variables. Cost: linear in
/// steps, and in the accesses of variables that have several homes and are not always live. A source in which a home
/// may differ from its variable adds O(n log n), where n counts the ranges of the source's accesses and the homes that
/// these accesses touch. Each home of a variable with such sources adds the number of these sources, and the number of
/// the variable's intervals.
void findHomeLives(const AccessContext &context, const FlowGraph &flow, Threads threads, LiveRanges &ranges);

} // namespace popscope
