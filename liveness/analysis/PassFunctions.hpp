// Completes the life of each variable that is live across calls. If neither a called function nor its callees touch the
// variable, adds the steps of these functions to the life (the call summary of liveness).
//
//   main: call f   call g   call h      A variable that lives across the last two calls is live in all of g and h, and
//         |------- v ----------|        in their callees.
//
// Idea: complete() handles 512 variables at once, with one bit per variable. For each set of 512 variables, complete()
// visits each function, call and step interval of a function only once. This saves much time, because many variables
// live across the same calls.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <span>
#include <vector>

namespace popscope {

/// The life of a variable that lives across calls of functions, if these functions do not touch the variable.
struct PassingLife {
  std::vector<CallRange> passed;   // the calls across which the variable lives; ascending, disjoint
  std::vector<StepInterval> lives; // before complete(): the steps at which the variable is live, without the steps of
                                   // the called functions; after complete(): all steps at which the variable is live
};

/// The algorithm that completes the lives of variables across calls (PassingLife). Several threads may call the
/// functions of one object at once. `flow` must outlive the object.
class FunctionPasses {
public:
  static constexpr std::size_t kTogether = 512; // the number of lives that complete() handles at once
  explicit FunctionPasses(const FlowGraph &flow);

  /// Returns the calls within `intervals`, which must be ascending and disjoint.
  [[nodiscard]] std::vector<CallRange> callsWithin(const std::vector<StepInterval> &intervals) const;
  /// Adds the steps of the passed functions to each life, sorts the intervals of the life, and joins intervals that
  /// overlap or touch. Cost per kTogether lives: linear in functions, calls and step intervals of functions. In
  /// addition, O(n log n), where n counts the ranges of `passed` and the intervals of the result.
  void complete(std::span<PassingLife> lives) const;

private:
  /// The steps [begin, end) of a function. Each variable that lives across a call of the function is live at these
  /// steps.
  struct Through {
    std::uint32_t begin, end, function;
  };
  template <std::size_t kWords> void completeSome(std::span<PassingLife> lives) const;

  const FlowGraph &flow_;
  std::vector<Through> through_; // FlowFunction::through of all functions, sorted by begin
};

} // namespace popscope
