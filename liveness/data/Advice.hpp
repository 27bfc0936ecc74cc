// LivenessAdvice: why variables are live, what an element-exact analysis would free, and where a WriteUndef would help.
// Plain data; made by liveness/explain. Steps and intervals are half-open and in compile-time order, as in LiveRanges.
#pragma once
#include "base/Ids.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace popscope {

/// What brings a value from a step to the read that keeps it alive, when it is more than going on to the next step.
enum class Carrier : std::uint8_t { None, Loop, Call, NextRun };

/// One variable at the steps [steps.begin, steps.end), at which the same answer holds.
struct LiveExplanation {
  VarId var;
  StepInterval steps{StepIndex(0), StepIndex(0)};
  StepIndex born;       // the last step that replaced every element; invalid: none since the start of the engine
  StepIndex read;       // the nearest read that keeps it alive
  StepIndex failedKill; // the nearest write before that read, which left elements out; invalid: there is none
  std::uint32_t firstMissed = 0, numMissed = 0; // those elements, in LivenessAdvice::missed
  Carrier carrier = Carrier::None;
  StepIndex carriedBy; // the Repeat, RepeatWhile or Call; invalid for None and NextRun
};

/// All of an interval of a life, of which there is nothing else to say: its first step is the birth, its last step the
/// read. Profiles leave these out, which most are; readers put them back.
[[nodiscard]] inline bool isPlainLife(const LiveExplanation &e, const StepInterval &life) {
  return e.steps == life && e.born == life.begin && e.read.index() + 1 == life.end.index() && !e.failedKill.valid() &&
         e.carrier == Carrier::None;
}

[[nodiscard]] inline bool isPlainLife(const LiveExplanation &e, const LiveRanges &ranges) {
  const LiveClass &live = ranges.classes[ranges.live[e.var].index()];
  const auto first = ranges.intervals.begin() + live.firstInterval, last = first + live.numIntervals;
  const auto at =
      std::lower_bound(first, last, e.steps.begin, [](const StepInterval &i, StepIndex s) { return i.begin < s; });
  return ranges.always[e.var] == 0 && at != last && isPlainLife(e, *at);
}

/// Bytes of a variable that are live by the array rule and that no path reads, at the steps.
struct FalseLive {
  VarId var;
  StepInterval steps{StepIndex(0), StepIndex(0)};
  Bytes bytes, bytesOnWorstTile;
};

/// WriteUndef(var) right before a step, with the effect that applying it had.
struct UndefPlacement {
  VarId var;
  StepIndex before;
  Bytes savedOnWorstTile; // of the worst tile's peak
  Bytes savedOnDevice;    // of the peak of all tiles together
};

struct LivenessAdvice {
  std::vector<LiveExplanation> explanations; // by variable, then step; always-live variables included, constants not
  std::vector<ElementRange> missed;
  std::vector<FalseLive> falseLive;        // by variable, then step
  std::vector<UndefPlacement> together;    // several that give worstPeakAfterAll, none of which can be left out
  std::vector<UndefPlacement> placements;  // largest saving on the worst tile first, then device, then step
  std::uint32_t candidates = 0, tried = 0; // possible placements, and those that were applied and measured
  TileId worstTile;                        // with the highest peak of live variable bytes; the lowest of equals
  StepIndex worstStep;                     // the first at which it has that peak
  Bytes worstPeak;                         // of variables live there
  Bytes falseLiveAtPeak;                   // of these, live by the array rule alone
  Bytes worstPeakAfterAll;                 // of the same tile, with all placements applied together
};

} // namespace popscope
