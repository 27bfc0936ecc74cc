// Computes the liveness of one variable from the structure of the program, without a search in the flow graph. The walk
// requires that one regular region (FlowRegion) contains all events (reads and kills) of the variable. The comment on
// walk() lists further conditions. VariableExplorer handles the variables that do not meet these conditions.
//
//   main: Sequence            A variable with events in a, c and e: the walk visits regions backwards. b and d have no
//     a                       event, and the walk skips each of them at once. The first event in the body decides
//     Repeat { b; c; d }      whether the variable is needed at the loop's start: a read needs it, a kill does not.
//     e                       So the walk knows the liveness at the end of the body before it enters the body.
//
// Idea: for each region, two bits (Need) state under which conditions the variable is needed at the region's start.
// With these bits, the walk does not have to iterate over a loop until a fixed point. Invariant: the walk adds each
// interval to `lives_` once, and in descending order.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"

#include <vector>

namespace popscope {

/// A walk for one variable at a time. One object serves many variables, but only one thread. `flow` must outlive the
/// object.
class RegionWalker {
public:
  explicit RegionWalker(const FlowGraph &flow) : flow_(flow) {}

  /// Computes lives() and returns true. Let R be the smallest region that contains all events. Returns false in these
  /// cases:
  /// - no region contains all events;
  /// - R is not regular;
  /// - an event is more than 32 levels deeper than R;
  /// - the step of an event belongs to no sequence (FlowStep::run);
  /// - the variable is live from one run of the program to the next, and R lies in a function;
  /// - the variable is live from one run of the program to the next, and the root's tree is not regular.
  ///
  /// Cost per event: the nesting depth, or the square of the nesting depth for an event inside a loop.
  bool walk(const std::vector<AccessEvent> &events);

  /// Computes lives() for a variable whose accesses all lie in one sequence of steps. Reads only the accesses, not the
  /// events, and does not visit regions. Returns false if the accesses do not all lie in the same sequence of steps
  /// (FlowStep::run), or if a source accesses the variable more than once. Also returns false if a write or an
  /// undefinition has no range or several ranges, or if the first read comes before all kills.
  bool walkStraight(const AccessTable::Entry *begin, const AccessTable::Entry *end);

  /// Returns the steps at which the variable is live-in or live-out, as sorted intervals that neither overlap nor
  /// touch. Leaves out the steps of functions across whose calls the variable lives.
  [[nodiscard]] const std::vector<StepInterval> &lives() const { return lives_; }

private:
  /// The conditions under which the variable is needed at a region's start. If `here` is true, the variable is always
  /// needed, because of a read inside the region. If `through` is true, the variable is also needed at the start if the
  /// variable is needed at the region's end.
  struct Need {
    bool here = false, through = true;
  };
  [[nodiscard]] std::uint32_t commonRegion() const;
  /// Returns the region directly inside `region` that contains event `last` - 1. Sets `from` to the first event in the
  /// control of the returned region.
  [[nodiscard]] std::uint32_t childOf(std::uint32_t region, std::size_t last, std::size_t first,
                                      std::size_t &from) const;
  /// Returns the region directly inside `region` that contains the event.
  [[nodiscard]] std::uint32_t insideOf(std::uint32_t region, std::size_t event) const;
  [[nodiscard]] std::size_t firstIn(std::uint32_t region, std::size_t first, std::size_t last) const;
  Need needOf(std::uint32_t region, std::size_t first, std::size_t last) const;
  Need needOfControl(std::uint32_t child, std::size_t first, std::size_t last) const;
  bool live(std::uint32_t region, std::size_t first, std::size_t last, bool atEnd);
  bool liveInControl(std::uint32_t child, std::size_t first, std::size_t last, bool after);
  bool liveInArms(const FlowRegion &child, std::size_t first, std::size_t last, bool after);
  void add(std::uint32_t begin, std::uint32_t end);

  const FlowGraph &flow_;
  const AccessEvent *events_ = nullptr;
  std::vector<std::uint32_t> regions_; // the region of each event
  std::vector<StepInterval> lives_;    // descending while walking
};

} // namespace popscope
