// Computes the liveness of one variable: walks backwards over the flow graph from the variable's reads to its kills.
//
// Idea: the walk jumps over loops, branches and calls that do not touch the variable. The walk enters a called function
// only if the function or one of its callees touches the variable. So the cost of the walk depends on the number of
// events (reads and kills), not on the length of the life.
//
//   a  [loop 1]  [loop 2]  b      The variable has no event between a and b. A walk backwards from b jumps over both
//                                 loops at once (FlowControl).
//
//   f: ... g() ... read           A walk that reaches the end of a call of g passes g if neither g nor a callee of g
//   g: ...                        touches the variable. The walk records the call, and PassFunctions later adds the
//                                 steps of g and of g's callees. If g or a callee of g touches the variable, the walk
//                                 enters the body of g in mode Passage. At the body's start, this walk continues only
//                                 before the calls whose ends the walk reached. A walk that starts at a read in g
//                                 continues before every call of g.
//
// Invariant: the walk follows no path that enters a function by one call and leaves the function by another call.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// A search for the life of one variable at a time. One object serves many variables, but only one thread. `flow` must
/// outlive the object.
class VariableExplorer {
public:
  explicit VariableExplorer(const FlowGraph &flow);
  /// Computes the results of lives() and passed(). Time: O(n log n), where n is the sum of three numbers: events times
  /// nesting depth, functions that touch the variable, and calls of these functions. The walk cannot jump over an
  /// abort, a Repeat of 0 iterations, a call that never returns, or a control step around one of these. With such
  /// steps, the time is also linear in the number of blocks in which the variable is live.
  void walk(const std::vector<AccessEvent> &events);
  /// Returns the steps at which the variable is live-in or live-out, as sorted intervals that neither overlap nor
  /// touch. Leaves out the steps of called functions that do not touch the variable: see passed().
  [[nodiscard]] const std::vector<StepInterval> &lives() const { return segments_; }
  /// Returns the calls at which the variable is live-out, without calls of functions that touch the variable. The
  /// ranges are ascending and disjoint.
  [[nodiscard]] const std::vector<CallRange> &passed() const { return passedCalls_; }

private:
  using EventIt = std::vector<AccessEvent>::const_iterator;
  /// The reason why the variable is live. FromRead: a later read needs the variable. Passage: only code after the
  /// current function may need the variable.
  enum Mode : std::uint32_t { FromRead, Passage };
  /// A state (2 * block + mode) at the end of a call. The walk continues from this state when the walk in the called
  /// function reaches the function's start without a kill. `next` is the index in waiting_ of another such state for
  /// the same function, or kNoBlock.
  struct Waiting {
    std::uint32_t state, next;
  };

  void startFromReads(std::uint32_t block, EventIt begin, EventIt end);
  void continueThrough(std::uint32_t block, Mode mode);
  void enterPredecessors(std::uint32_t block, EventIt firstInside, Mode mode);
  bool jump(std::uint32_t block, EventIt firstInside, Mode mode);
  void crossCall(const FlowCall &call, Mode mode);
  void leaveFunction(std::uint32_t function, Mode mode);
  bool touches(std::uint32_t function);
  std::uint32_t lastTouching(std::uint32_t begin, std::uint32_t end);
  void findEventFunctions();
  void findTouched();
  void enqueue(std::uint32_t block, Mode mode);
  void forget();

  const FlowGraph &flow_;
  std::vector<std::uint8_t> queued_;   // one entry per state: 2 * block + mode
  std::vector<std::uint32_t> reached_; // states in which the variable is live at the block's end, in the order of their
                                       // discovery
  std::vector<StepInterval> segments_;
  EventIt first_, last_;

  std::vector<CallRange> passedCalls_;

  // Flags per function. Each flagged function is also in a list, so that the flags can be cleared for the next
  // variable.
  std::vector<std::uint8_t> passed_, touched_; // passed_: the walk in mode Passage reached the function's start
  std::vector<std::uint32_t> passedList_, touchedList_, firstWaiting_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> eventFunctions_; // functions that contain events of the variable
  std::vector<std::uint32_t> touchedCalls_;   // calls of touched functions, ascending
  bool eventFunctionsKnown_ = false, touchedKnown_ = false;
};

} // namespace popscope
