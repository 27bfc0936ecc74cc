// Liveness of one variable by walking backwards from its reads to its kills.
//
//   a  [loop 1]  [loop 2]  b      A walk that comes from b and knows no event of the variable before a jumps over both
//                                 loops at once (FlowControl): cost follows the events, not the length of the life.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Makes `intervals` sorted, disjoint and not touching; empty ones vanish.
void normaliseIntervals(std::vector<StepInterval> &intervals);

/// Reusable between variables, not between threads. `flow` must outlive it.
class VariableExplorer {
public:
  explicit VariableExplorer(const FlowGraph &flow) : flow_(flow), queued_(flow.blocks.size(), 0) {}
  /// Steps at which the variable is live-in or live-out, normalised; valid until the next call. Linear, up to a
  /// logarithm, in events times depth of nesting; where calls or aborts stand in the way, in blocks of the life.
  const std::vector<StepInterval> &explore(const std::vector<AccessEvent> &events);

private:
  using EventIt = std::vector<AccessEvent>::const_iterator;
  void startFromReads(std::uint32_t block, EventIt begin, EventIt end);
  void continueThrough(std::uint32_t block);
  void enterPredecessors(std::uint32_t block, EventIt firstInside);
  void enqueue(std::uint32_t block);

  const FlowGraph &flow_;
  std::vector<std::uint8_t> queued_;
  std::vector<std::uint32_t> reached_; // blocks at whose end the variable is live, in order of discovery
  std::vector<StepInterval> segments_;
  EventIt first_, last_;
};

} // namespace popscope
