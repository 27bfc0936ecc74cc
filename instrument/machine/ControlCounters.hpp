// ControlCounters: the loops and conditionals whose results are recorded, the tile that records each result, and the
// cycles that recording takes on that tile. On an IPU, the results of a loop or conditional are recorded if
// InsertInstrumentation added a counter for this loop or conditional. On an IPU Model, the results of all loops and
// conditionals are recorded, except the results of the engine's Switch, which selects the program to run. On an IPU
// Model, recording takes no time.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class ControlCounters {
public:
  /// Finds the watched steps: the loops and conditionals whose results are recorded. Reads `program` and `costs` only
  /// during construction.
  ControlCounters(const StepProgram &program, const CostModel &costs);

  [[nodiscard]] bool watches(StepIndex step) const { return !watched_.empty() && watched_[step.index()].tile.valid(); }
  /// Returns whether recording the result of the watched step takes time.
  [[nodiscard]] bool costs(StepIndex step) const {
    return watched_[step.index()].readCycles + watched_[step.index()].cyclesPerIteration != Cycles();
  }
  /// Returns the clock of the recording tile. Pass the result to leave() as `entered`.
  [[nodiscard]] Cycles enter(StepIndex step, const Clocks &clocks) const {
    return clocks.now(watched_[step.index()].tile);
  }
  /// Adds the cycles of recording to the clocks, and lets the clocks emit an event with the result of the watched step.
  /// `taken` is the number of iterations, or the index of the executed child (kNoChild if no child was executed).
  void leave(StepIndex step, Cycles entered, std::uint64_t taken, Clocks &clocks) const;

private:
  struct Watched {
    TileId tile; // recording tile; invalid = the step is not watched
    Cycles readCycles;
    Cycles cyclesPerIteration; // for a RepeatWhile: additional cycles of recording for each iteration
  };
  std::vector<Watched> watched_; // per step; empty = no step is watched
};

} // namespace popscope
