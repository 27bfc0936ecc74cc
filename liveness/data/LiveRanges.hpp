// LiveRanges: the steps at which each variable and home is live and occupied. The module liveness/analysis produces the
// live ranges. Layout, explanations, checks and the collector of the profile read the live ranges.
//
// Program points are step indices. For a variable v and a step s:
//   live(s)      v holds a value that may still be read: live-in or live-out at s        (what reports show)
//   occupied(s)  live(s), or s reads or writes v (a dead write still needs a place)      (what layout uses)
// Intervals [begin, end) of step indices are half-open and sorted, and do not touch. Variables and homes with equal
// intervals share a class. Class 0 has no interval, and class 1 covers [0, numSteps).
//
// A source is one occurrence of a compute set or a copy in the program; lowering turns a source into one or more steps.
// Within the steps of one source, the accesses on a home's own tile decide when the home is occupied. From the first to
// the last step of the source, a home that the source touches is occupied
//   - from the first step that touches the home to the last step that touches it;
//   - at the earlier steps, if v is live-in at the source, and the source reads the home before the source has written
//     the whole home;
//   - at the earlier steps, if v is live-in and live-out at the source, and the source never writes the whole home;
//   - at the later steps, if v is live-out at the source.
// A home that the source does not touch is occupied at the source's steps if v is both live-in and live-out. A home is
// live at the steps at which v is live and the home is occupied. A WriteUndef, or a step without a source, has the same
// effect on all homes of v.
//
//   step        10 gather    11 vertices   12 scatter      The last reader of a is the gather on tile 0, and the
//   a, tile 0   occupied     free          free            vertices on tile 1. The home on tile 0 is free from step 11.
//   a, tile 1   occupied     occupied      free
//
// Most homes are live and occupied at the same steps as their variable; homeLives lists the other homes.
//
// Invariants:
// L1 occupied contains live.
// L2 A variable that is never read has an empty live class.
// L3 Constants, system data, and variables that are live at all reachable steps are `always`; a Rearrangement is never
//    `always`.
// L4 liveBytes[s] = sum of the bytes of the homes that are live at s and whose variable is not always live.
// L5 A home is live (occupied) only at steps at which its variable is live (occupied). A home and its variable differ
//    only at the steps of a source.
//
// At unreachable steps (in a Repeat of 0, after an Abort), only always-live variables are live. A variable that an
// unreachable step reads or writes is still occupied at this step. v is occupied at all steps from a source's first
// read or write of v to the source's last read or write of v. A WriteUndef occupies no memory. Class 1 is the occupied
// class of each always-live variable, and also the live class if any step reads the variable. Each home of an
// always-live variable has the classes of the variable.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "graph/steps/StepProgram.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

struct StepInterval {
  StepIndex begin, end;
  friend bool operator==(const StepInterval &, const StepInterval &) = default;
};
/// Returns whether one of the intervals, which must be ascending and disjoint, contains the step.
[[nodiscard]] inline bool contains(std::span<const StepInterval> intervals, StepIndex step) {
  const auto after = std::upper_bound(intervals.begin(), intervals.end(), step,
                                      [](StepIndex s, const StepInterval &i) { return s < i.begin; });
  return after != intervals.begin() && step < (after - 1)->end;
}
struct LiveClass {
  std::uint32_t firstInterval = 0, numIntervals = 0;
};

/// The class of variables that are live, or occupied, at all steps.
inline constexpr LiveClassId kAlwaysClass(1);

/// The classes of a home that is live or occupied at other steps than its variable.
struct HomeLife {
  HomeId home;
  LiveClassId live, occupied;
  friend bool operator==(const HomeLife &, const HomeLife &) = default;
};

struct LiveRanges {
  std::vector<LiveClass> classes; // by LiveClassId
  std::vector<StepInterval> intervals;
  IdVector<VarId, LiveClassId> live; // class of each variable's live intervals
  IdVector<VarId, LiveClassId> occupied;
  IdVector<VarId, std::uint8_t> always; // 0 or 1: whether the variable is always live. Constants, system data
                                        // (instrumentation, packet headers ...), and variables that are live at all
                                        // reachable steps are always live. A Rearrangement does not count as always
                                        // live
  std::vector<HomeLife> homeLives;      // sorted by home
  IdVector<VarId, std::uint8_t> split;  // 0 or 1: whether some homes of the variable are in homeLives
  std::vector<Bytes> liveBytes;         // per step: live bytes of all tiles, without always-live variables
  Bytes alwaysLiveBytes;                // bytes of always-live variables on all tiles; excludes code, stacks and other
                                        // data that belong to no variable

  [[nodiscard]] std::span<const StepInterval> intervalsOf(LiveClassId c) const {
    return std::span(intervals).subspan(classes[c.index()].firstInterval, classes[c.index()].numIntervals);
  }
  /// Returns the life of a home of `var`, or null if the home has the same classes as `var`.
  [[nodiscard]] const HomeLife *homeLife(VarId var, HomeId home) const {
    if (split[var] == 0)
      return nullptr;
    const auto at = std::lower_bound(homeLives.begin(), homeLives.end(), home,
                                     [](const HomeLife &life, HomeId h) { return life.home < h; });
    return at != homeLives.end() && at->home == home ? &*at : nullptr;
  }
  [[nodiscard]] LiveClassId liveOf(VarId var, HomeId home) const {
    const HomeLife *const own = homeLife(var, home);
    return own != nullptr ? own->live : live[var];
  }
  [[nodiscard]] LiveClassId occupiedOf(VarId var, HomeId home) const {
    const HomeLife *const own = homeLife(var, home);
    return own != nullptr ? own->occupied : occupied[var];
  }
  [[nodiscard]] bool contains(LiveClassId c, StepIndex s) const { return popscope::contains(intervalsOf(c), s); }
};

} // namespace popscope
