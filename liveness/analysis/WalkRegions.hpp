// Liveness of one variable by the structure of the program: no graph is searched. For variables whose events lie in one
// tree of regular regions. VariableExplorer takes what is left.
//
//   main: Sequence            A variable with events in a, c and e: region by region, backwards. b and d hold no event:
//   one step
//     a                       over each. What the loop needs at its start is what its body reads before it kills, so
//     its Repeat { b; c; d }      end is known to be live before the body is looked at.
//     e
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"

#include <vector>

namespace popscope {

/// Reusable between variables, not between threads. `flow` must outlive it.
class RegionWalker {
public:
  explicit RegionWalker(const FlowGraph &flow) : flow_(flow) {}

  /// Finds lives() and says true where the program's form allows it; else says false. Linear in events times depth, and
  /// in events inside loops times depth again.
  bool walk(const std::vector<AccessEvent> &events);

  /// The same in one look at the accesses, before there are events: in straight code no region is entered. Says false
  /// where they are not all in one run of steps, a source does several things, or no kill comes before the first read.
  bool walkStraight(const AccessTable::Entry *begin, const AccessTable::Entry *end);

  /// Steps at which the variable is live-in or live-out, normalised; without those of functions that it passes through.
  [[nodiscard]] const std::vector<StepInterval> &lives() const { return lives_; }

private:
  struct Need {
    bool here = false, through = true;
  }; // needed at the start: by a read inside, when needed at the end
  [[nodiscard]] std::uint32_t commonRegion() const;
  /// The region inside `region` that event `last` - 1 lies in, and the first event in that region's control.
  [[nodiscard]] std::uint32_t childOf(std::uint32_t region, std::size_t last, std::size_t first,
                                      std::size_t &from) const;
  /// The region inside `region` that the event lies in.
  [[nodiscard]] std::uint32_t insideOf(std::uint32_t region, std::size_t event) const;
  [[nodiscard]] std::size_t firstIn(std::uint32_t region, std::size_t first, std::size_t last) const;
  Need needOf(std::uint32_t region, std::size_t first, std::size_t last) const;
  Need needOfControl(std::uint32_t child, std::size_t first, std::size_t last) const;
  bool live(std::uint32_t region, std::size_t first, std::size_t last, bool atEnd);
  bool liveInControl(std::uint32_t child, std::size_t first, std::size_t last, bool behind);
  bool liveInArms(const FlowRegion &child, std::size_t first, std::size_t last, bool behind);
  void add(std::uint32_t begin, std::uint32_t end);

  const FlowGraph &flow_;
  const AccessEvent *events_ = nullptr;
  std::vector<std::uint32_t> regions_; // of the events
  std::vector<StepInterval> lives_;    // while walking: descending
};

} // namespace popscope
