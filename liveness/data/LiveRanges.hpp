// LiveRanges: what lives when. Result of liveness/analysis, input of layout, collect and explain.
//
// Program points are step indices. For a variable v and a step s:
//   live(s)      v holds a value that may still be read: live-in or live-out at s        (what reports show)
//   occupied(s)  live(s), or s accesses v at all (a dead write still needs a place)      (what layout uses)
// Intervals are half-open [begin, end) in step indices, sorted, not touching. Variables with equal intervals
// share a class; class 0 is always the empty one, class 1 covers [0, numSteps).
//
// Invariants: L1 occupied contains live. L2 a variable never read has an empty live class. L3 constants and every
// variable live at all steps are `always`; a Rearrangement never is. L4 liveBytes[s] = sum of bytes of variables
// live at s and not always live.
//
// Steps that cannot be reached (a Repeat of 0, what follows an Abort) have nothing live; their accesses still occupy.
// One source's steps, from its first to its last access of v, are all occupied. An always-live variable has
// occupied = class 1, and live = class 1 too if anything reads it.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct StepInterval {
  StepIndex begin, end;
  friend bool operator==(const StepInterval &, const StepInterval &) = default;
};
struct LiveClass {
  std::uint32_t firstInterval = 0, numIntervals = 0;
};

/// The class of what is live, or occupied, at all steps.
inline constexpr LiveClassId kAlwaysClass(1);

struct LiveRanges {
  std::vector<LiveClass> classes; // indexed by LiveClassId
  std::vector<StepInterval> intervals;
  IdVector<VarId, LiveClassId> live; // class of each variable's live intervals
  IdVector<VarId, LiveClassId> occupied;
  IdVector<VarId, std::uint8_t> always; // 0 or 1. Always live: constants, system data (instrumentation, packet
                                        // headers ...) and whatever is live at every step that can be reached
  std::vector<Bytes> liveBytes;         // per step, not-always-live bytes over all tiles
  Bytes alwaysLiveBytes;                // of variables (code and system data not included)
  [[nodiscard]] bool contains(LiveClassId c, StepIndex s) const {
    const LiveClass &k = classes[c.index()];
    for (std::uint32_t i = 0; i < k.numIntervals; ++i)
      if (intervals[k.firstInterval + i].begin <= s && s < intervals[k.firstInterval + i].end)
        return true;
    return false;
  }
};

} // namespace popscope
