// Liveness of one variable by walking backwards from its reads to its kills.
//
//   a  [loop 1]  [loop 2]  b      A walk that comes from b and knows no event of the variable before a jumps over both
//                                 loops at once (FlowControl): cost follows the events, not the length of the life.
//
//   f: ... g() ... read           A walk that comes from behind a call passes the function it calls at once when
//   nothing in g: ...                        there touches the variable: the call is noted, and PassFunctions says what
//   that means for
//                                 the steps of g and of what g calls. Otherwise the walk goes back through the
//                                 body as a "passage", which ends at the body's start by going on before those calls
//                                 whose ends were reached, and before no other. A walk from a read in g goes on before
//                                 every call of g. So paths that enter by one call and leave by another are never
//                                 followed.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Makes `intervals` sorted, disjoint and not touching; empty ones vanish.
void normaliseIntervals(std::vector<StepInterval> &intervals);

/// Reusable between variables, not between threads. `flow` must outlive it.
class VariableExplorer {
public:
  explicit VariableExplorer(const FlowGraph &flow);
  /// Finds lives() and passed(). Linear, up to a logarithm, in events times depth of nesting, in functions that touch
  /// the variable and in calls of them; where aborts stand in the way, in blocks of the life.
  void walk(const std::vector<AccessEvent> &events);
  /// Steps at which the variable is live-in or live-out, normalised; without those of functions that it passes
  /// untouched.
  [[nodiscard]] const std::vector<StepInterval> &lives() const { return segments_; }
  /// Calls behind which the variable is live and whose functions do not touch it; ascending, disjoint.
  [[nodiscard]] const std::vector<CallRange> &passed() const { return passedCalls_; }

private:
  using EventIt = std::vector<AccessEvent>::const_iterator;
  enum Mode : std::uint32_t {
    FromRead,
    Passage
  }; // why the variable is live: a read ahead, or what follows the function
  struct Waiting {
    std::uint32_t state, next;
  }; // goes on once the function is known to be passed

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
  std::vector<std::uint8_t> queued_;   // by state: 2 * block + mode
  std::vector<std::uint32_t> reached_; // states at whose end the variable is live, in order of discovery
  std::vector<StepInterval> segments_;
  EventIt first_, last_;

  std::vector<CallRange> passedCalls_;

  // Functions, by number; each flag that is set has its function in a list, to be cleared for the next variable.
  std::vector<std::uint8_t> passed_, touched_; // passed_: a passage came through
  std::vector<std::uint32_t> passedList_, touchedList_, firstWaiting_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> eventFunctions_; // in which the variable's events lie
  std::vector<std::uint32_t> touchedCalls_;   // calls of touched functions, ascending
  bool eventFunctionsKnown_ = false, touchedKnown_ = false;
};

} // namespace popscope
