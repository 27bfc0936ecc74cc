// LivenessAdvice contains the reasons why variables are live, the bytes that are live only by the array rule, and the
// places where a WriteUndef would save memory. The structs are plain data that liveness/explain produces. Steps are the
// steps of the StepProgram. Intervals of steps are half-open, as in LiveRanges.
#pragma once
#include "base/Ids.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace popscope {

/// The first loop, call or repeated run through which a value reaches the read that keeps the value alive.
/// Carrier::None means that the value reaches the read without any of these.
enum class Carrier : std::uint8_t { None, Loop, Call, NextRun };

/// The reason why one variable is live at the steps [steps.begin, steps.end). The reason is the same at each of these
/// steps.
struct LiveExplanation {
  VarId var;
  StepInterval steps{StepIndex(0), StepIndex(0)};
  StepIndex born;       // the last step up to steps.begin, in the order of execution, that replaced every element;
                        // invalid = none since the engine was created
  StepIndex read;       // the nearest read that keeps the variable alive
  StepIndex failedKill; // the first write at or after steps.begin, on the way to `read`, that left elements out;
                        // invalid = none
  std::uint32_t firstMissed = 0, numMissed = 0; // the elements that failedKill did not write: numMissed entries of
                                                // LivenessAdvice::missed, beginning with entry firstMissed
  Carrier carrier = Carrier::None;
  StepIndex carriedBy; // the Repeat, RepeatWhile or Call; invalid for None and NextRun
};

/// Returns whether the explanation is a plain life. A plain life covers a whole interval in which the variable is live.
/// The first step of the interval is `born`, and the last step is `read`. A plain life has neither a failed kill nor a
/// carrier. Most explanations are plain lives. Profiles omit plain lives, and readers of profiles restore the plain
/// lives.
[[nodiscard]] inline bool isPlainLife(const LiveExplanation &e, const StepInterval &life) {
  return e.steps == life && e.born == life.begin && e.read.index() + 1 == life.end.index() && !e.failedKill.valid() &&
         e.carrier == Carrier::None;
}

[[nodiscard]] inline bool isPlainLife(const LiveExplanation &e, const LiveRanges &ranges) {
  const auto live = ranges.intervalsOf(ranges.live[e.var]);
  const auto at = std::lower_bound(live.begin(), live.end(), e.steps.begin,
                                   [](const StepInterval &i, StepIndex s) { return i.begin < s; });
  return ranges.always[e.var] == 0 && at != live.end() && isPlainLife(e, *at);
}

/// Bytes of a variable that are live at `steps` by the array rule only: no later step reads the present contents of
/// these bytes.
struct FalseLive {
  VarId var;
  StepInterval steps{StepIndex(0), StepIndex(0)};
  Bytes bytes, bytesOnWorstTile;
};

/// A WriteUndef of `var` directly before a step, and the measured effect of this WriteUndef.
struct UndefPlacement {
  VarId var;
  StepIndex before;
  Bytes savedOnWorstTile; // reduction of the worst tile's peak
  Bytes savedOnDevice;    // reduction of the peak of the live bytes of all tiles together
  bool together = false;  // true: belongs to a minimal set of placements that lowers a peak as far as all tried
                          // placements together. This peak is the worst tile's peak
                          // (LivenessAdvice::worstPeakAfterAll). If a single placement lowers the worst tile's peak as
                          // far, the set lowers the peak of all tiles together instead. If a single placement also
                          // lowers this second peak as far, there is no such set, and `together` is false for all
                          // placements

  /// Returns whether this placement saves bytes without any other placement.
  [[nodiscard]] bool savesAlone() const { return savedOnWorstTile != Bytes() || savedOnDevice != Bytes(); }
};

struct LivenessAdvice {
  std::vector<LiveExplanation>
      explanations; // sorted by variable, then step; includes always-live variables, excludes constants and system data
  std::vector<ElementRange> missed;
  std::vector<FalseLive> falseLive;        // sorted by variable, then step
  std::vector<UndefPlacement> placements;  // the tried placements that save bytes, alone or together; sorted by the
                                           // bytes that the placement alone saves on the worst tile, then on the device
                                           // (most bytes first), then by step
  std::uint32_t candidates = 0, tried = 0; // number of possible placements; number of placements that were applied and
                                           // measured
  TileId worstTile;                        // the tile with the highest peak of live variable bytes; the first tile if
                                           // several peaks are equal
  StepIndex worstStep;                     // the first step at which the worst tile has this peak
  Bytes worstPeak;                         // the peak of live variable bytes on the worst tile
  Bytes falseLiveAtPeak;                   // the part of worstPeak that is live only by the array rule
  Bytes worstPeakAfterAll;                 // the peak of the worst tile with all tried placements applied together
};

} // namespace popscope
