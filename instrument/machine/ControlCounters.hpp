// ControlCounters: the loops and conditionals that are watched, the recording tile of each, and the cost there. On an
// IPU these are the ones to which InsertInstrumentation gave counters. On an IPU Model all are watched, at no cost.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class ControlCounters {
public:
  /// Finds the watched steps. Reads `program` and `costs` during construction only.
  ControlCounters(const StepProgram &program, const CostModel &costs);

  [[nodiscard]] bool watches(StepIndex step) const { return !watched_.empty() && watched_[step.index()].tile.valid(); }
  /// Returns whether recording the watched step takes time.
  [[nodiscard]] bool costs(StepIndex step) const {
    return watched_[step.index()].readCycles + watched_[step.index()].cyclesPerIteration != Cycles();
  }
  /// Returns the recording tile's clock, which leave() takes as `entered`.
  [[nodiscard]] Cycles enter(StepIndex step, const Clocks &clocks) const {
    return clocks.now(watched_[step.index()].tile);
  }
  /// Passes the result of a watched step to the clocks.
  void leave(StepIndex step, Cycles entered, std::uint64_t taken, Clocks &clocks) const;

private:
  struct Watched {
    TileId tile; // invalid = not watched
    Cycles readCycles;
    Cycles cyclesPerIteration; // of a RepeatWhile
  };
  std::vector<Watched> watched_; // per step; empty = none is watched
};

} // namespace popscope
