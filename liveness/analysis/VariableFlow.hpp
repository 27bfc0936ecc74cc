// Determines whether one variable is live-in or live-out at a step. Live ranges contain the steps at which a variable
// is live-in or live-out, but do not distinguish live-in from live-out.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <span>
#include <vector>

namespace popscope {

/// The liveness of one variable at a time, at single steps. One object serves many variables, but only one thread. The
/// constructor's arguments must outlive the object. In `ranges`, the object reads only the members live, classes and
/// intervals.
class VariableFlow {
public:
  VariableFlow(const AccessContext &context, const FlowGraph &flow, const LiveRanges &ranges)
      : c_(context), flow_(flow), ranges_(ranges) {}

  /// Sets the variable for later calls of liveIn() and liveOut(). Cost: the cost of interpretAccesses().
  void start(VarId var);
  [[nodiscard]] bool liveIn(std::uint32_t step) const;
  /// Returns whether the variable is live-out at the step, which must not contain other steps. If the program's
  /// structure gives no answer, a variable that is live at the step counts as live-out. Cost: the nesting depth of the
  /// step, times the logarithm of the number of the variable's intervals and events. If the step ends a function, the
  /// nesting depths of the function's calls also count.
  [[nodiscard]] bool liveOut(std::uint32_t step);

private:
  [[nodiscard]] std::uint32_t regionOf(std::uint32_t step) const;
  [[nodiscard]] bool liveAt(std::uint32_t step, std::uint32_t region);
  [[nodiscard]] bool liveOutOfRegion(std::uint32_t region);
  [[nodiscard]] bool liveOutOfCalls(const FlowRegion &tree);

  const AccessContext &c_;
  const FlowGraph &flow_;
  const LiveRanges &ranges_;
  std::span<const StepInterval> live_;
  VariableAccesses accesses_;
  std::vector<std::uint32_t> passed_; // functions whose calls were examined
};

} // namespace popscope
