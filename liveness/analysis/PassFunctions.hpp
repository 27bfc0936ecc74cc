// Completes the lives of variables that live across calls of functions that do not touch them: adds the steps of these
// functions and of their callees (the call summary of liveness).
//
//   main: call f   call g   call h      A variable that lives across the last two calls is live in all of g and h, and
//         |------- v ----------|        in their callees.
//
// Idea: many variables live across the same calls, so 512 of them are handled at once, one bit each. Each function,
// call and step interval of a function is visited once per 512 variables.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <span>
#include <vector>

namespace popscope {

/// A variable that lives across calls of functions that do not touch it.
struct PassingLife {
  std::vector<CallRange> passed;   // the calls that it lives across; ascending, disjoint
  std::vector<StepInterval> lives; // the other steps at which it is live
};

/// Completes passing lives. Several threads may call its functions at once. `flow` must outlive it.
class FunctionPasses {
public:
  static constexpr std::size_t kTogether = 512; // the number of lives that complete() handles at once
  explicit FunctionPasses(const FlowGraph &flow);

  /// Returns the calls within `intervals`, which must be ascending and disjoint.
  [[nodiscard]] std::vector<CallRange> callsWithin(const std::vector<StepInterval> &intervals) const;
  /// Adds to each life the steps of the functions that it passes, and normalises it. Cost: linear in functions and
  /// calls for each kTogether lives, and linear in the result.
  void complete(std::span<PassingLife> lives) const;

private:
  /// Steps [begin, end) of a function. A variable that lives across the function is live at them.
  struct Through {
    std::uint32_t begin, end, function;
  };
  template <std::size_t kWords> void completeSome(std::span<PassingLife> lives) const;

  const FlowGraph &flow_;
  std::vector<Through> through_; // FlowFunction::through of all functions, sorted by begin
};

} // namespace popscope
