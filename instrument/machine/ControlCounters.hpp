// ControlCounters: which loops and conditionals are watched, on which tile, and what that costs it. On an IPU those
// that InsertInstrumentation gave counters; on an IPU Model all of them, at no cost.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class ControlCounters {
public:
  /// `program` and `costs` are read during construction only.
  ControlCounters(const StepProgram &program, const CostModel &costs);

  [[nodiscard]] bool watches(StepIndex step) const { return !watched_.empty() && watched_[step.index()].tile.valid(); }
  /// Of a step that is watched: recording takes time.
  [[nodiscard]] bool costs(StepIndex step) const {
    return watched_[step.index()].readCycles + watched_[step.index()].cyclesPerIteration != Cycles();
  }
  /// The recording tile's clock: what leave() wants as `entered`.
  [[nodiscard]] Cycles enter(StepIndex step, const Clocks &clocks) const {
    return clocks.now(watched_[step.index()].tile);
  }
  /// Tells the clocks. For steps that are watched.
  void leave(StepIndex step, Cycles entered, std::uint64_t taken, Clocks &clocks) const;

private:
  struct Watched {
    TileId tile; // invalid = not watched
    Cycles readCycles;
    Cycles cyclesPerIteration; // of a RepeatWhile
  };
  std::vector<Watched> watched_; // by step; empty = none
};

} // namespace popscope
