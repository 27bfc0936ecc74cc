// What living across calls means for the steps of the functions called, where nothing touches the variable.
//
//   main: call f   call g   call h      A variable that lives across the last two calls is live in all of g and h, and
//   in what
//         |------- v ----------|        they call. Many such variables are told at once, one bit each: every function,
//         every
//                                       call and every step interval of a function is looked at once for 512 of them.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <span>
#include <vector>

namespace popscope {

/// A variable that lives across calls of functions that do not touch it.
struct PassingLife {
  std::vector<CallRange> passed;   // the calls; ascending, disjoint
  std::vector<StepInterval> lives; // what else is live
};

/// May be used by several threads at a time. `flow` must outlive it.
class FunctionPasses {
public:
  static constexpr std::size_t kTogether = 512; // lives that are best handed over at once
  explicit FunctionPasses(const FlowGraph &flow);

  /// The calls within the intervals, which are ascending and disjoint.
  [[nodiscard]] std::vector<CallRange> callsWithin(const std::vector<StepInterval> &intervals) const;
  /// Completes the lives and normalises them. Linear in functions and calls for each kTogether lives, and in the
  /// result.
  void complete(std::span<PassingLife> lives) const;

private:
  struct Piece {
    std::uint32_t begin, end, function;
  };
  template <std::size_t kWords> void completeSome(std::span<PassingLife> lives) const;

  const FlowGraph &flow_;
  std::vector<Piece> pieces_; // FlowFunction::through of all functions, by step
};

} // namespace popscope
