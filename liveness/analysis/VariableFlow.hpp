// Whether one variable is live right before a step, or right behind one: live ranges tell what is live at a step,
// before it or behind it.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <span>
#include <vector>

namespace popscope {

/// Reusable between variables, not between threads. Its arguments must outlive it; of `ranges` it needs the classes,
/// the intervals and the lives of variables.
class VariableFlow {
public:
  VariableFlow(const AccessContext &context, const FlowGraph &flow, const LiveRanges &ranges)
      : c_(context), flow_(flow), ranges_(ranges) {}

  /// The variable that is asked about from here on. Linear in its accesses.
  void start(VarId var);
  [[nodiscard]] bool liveBefore(std::uint32_t step) const;
  /// Of a step without steps inside. Where the form of the program does not tell, the variable counts as live. Cost: at
  /// the end of regions their depth, at the end of functions their calls.
  [[nodiscard]] bool liveBehind(std::uint32_t step);

private:
  [[nodiscard]] std::uint32_t regionOf(std::uint32_t step) const;
  [[nodiscard]] bool isLive(std::uint32_t step) const;
  [[nodiscard]] bool killedUnread(std::uint32_t step) const;
  [[nodiscard]] bool liveAt(std::uint32_t step, std::uint32_t region);
  [[nodiscard]] bool liveBehindRegion(std::uint32_t region);
  [[nodiscard]] bool liveBehindCalls(const FlowRegion &tree);

  const AccessContext &c_;
  const FlowGraph &flow_;
  const LiveRanges &ranges_;
  std::span<const StepInterval> live_;
  VariableAccesses accesses_;
  std::vector<std::uint32_t> passed_; // functions whose calls were looked at
};

} // namespace popscope
