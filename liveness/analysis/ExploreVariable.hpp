// Liveness of one variable by walking backwards from its reads to its kills.
//
//   a  [loop 1]  [loop 2]  b      A walk that comes from b and knows no event of the variable before a jumps over both
//                                 loops at once (FlowControl): cost follows the events, not the length of the life.
//
//   f: ... g() ... read           A walk that comes from behind a call passes the function it calls at once when nothing in
//   g: ...                        there touches the variable (FlowFunction::through); otherwise it walks back through the
//                                 body as a "passage", which ends at the body's start by going on before those calls whose
//                                 ends were reached, and before no other. A walk from a read in g goes on before every call
//                                 of g. So paths that enter by one call and leave by another are never followed.
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
  explicit VariableExplorer(const FlowGraph &flow);
  /// Steps at which the variable is live-in or live-out, normalised; valid until the next call. Linear, up to a
  /// logarithm, in events times depth of nesting, and in calls that the life spans and functions that it passes; where
  /// aborts stand in the way, in blocks of the life.
  const std::vector<StepInterval> &explore(const std::vector<AccessEvent> &events);

private:
  using EventIt = std::vector<AccessEvent>::const_iterator;
  enum Mode : std::uint32_t { FromRead, Passage }; // why the variable is live: a read ahead, or what follows the function
  struct Waiting { std::uint32_t state, next; };   // goes on once the function is known to be passed

  void startFromReads(std::uint32_t block, EventIt begin, EventIt end);
  void continueThrough(std::uint32_t block, Mode mode);
  void enterPredecessors(std::uint32_t block, EventIt firstInside, Mode mode);
  bool jump(std::uint32_t block, EventIt firstInside, Mode mode);
  void crossCall(const FlowCall &call, Mode mode);
  void leaveFunction(std::uint32_t function, Mode mode);
  void passUntouched(std::uint32_t function);
  bool touches(std::uint32_t function);
  void findTouched();
  void enqueue(std::uint32_t block, Mode mode);
  void forget();

  const FlowGraph &flow_;
  std::vector<std::uint8_t> queued_;   // by state: 2 * block + mode
  std::vector<std::uint32_t> reached_; // states at whose end the variable is live, in order of discovery
  std::vector<StepInterval> segments_;
  EventIt first_, last_;

  // Functions, by number; each flag that is set has its function in a list, to be cleared for the next variable.
  std::vector<std::uint8_t> passed_, touched_;     // passed_: untouched and live throughout, or a passage that came through
  std::vector<std::uint32_t> passedList_, touchedList_, firstWaiting_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> overCalls_;           // by 2 * call + mode: the control to which a jump over the call went
  std::vector<std::uint32_t> jumpedCalls_;         // of those that are set
  std::vector<std::uint32_t> eventFunctions_;      // in which the variable's events lie
  bool eventFunctionsKnown_ = false, touchedKnown_ = false;
};

} // namespace popscope
