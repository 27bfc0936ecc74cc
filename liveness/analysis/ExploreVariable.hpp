// Liveness of one variable by walking backwards from its reads to its kills.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Sorted, disjoint, not touching; empty intervals vanish.
std::vector<StepInterval> normaliseIntervals(std::vector<StepInterval> intervals);

/// Reusable between variables, not between threads. `flow` must outlive it.
class VariableExplorer {
public:
  explicit VariableExplorer(const FlowGraph &flow) : flow_(flow), queued_(flow.blocks.size(), false) {}
  /// Steps at which the variable is live-in or live-out. Linear in events plus blocks it is live through.
  std::vector<StepInterval> explore(const std::vector<AccessEvent> &events);

private:
  using EventIt = std::vector<AccessEvent>::const_iterator;
  void startFromReads(std::uint32_t block, EventIt begin, EventIt end);
  void continueThrough(std::uint32_t block, const std::vector<AccessEvent> &events);
  void enterPredecessors(std::uint32_t block);

  const FlowGraph &flow_;
  std::vector<bool> queued_;
  std::vector<std::uint32_t> reached_; // blocks at whose end the variable is live, in order of discovery
  std::vector<StepInterval> segments_;
};

} // namespace popscope
