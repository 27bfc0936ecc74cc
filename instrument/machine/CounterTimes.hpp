// CounterTimes: what reading the counters of a step costs its tiles, from the instructions that InsertInstrumentation
// placed beside the step, and what recording blocks costs (lightweight profiling). Nothing without instrumentation.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

class CounterTimes {
public:
  /// Both are read during construction only.
  CounterTimes(const StepProgram &program, const CostModel &costs);
  /// Tells the clocks, before the step's event; of a recorded Block before each of its two.
  void addTo(StepIndex step, Clocks &clocks) const {
    if (!rowOf_.empty())
      for (const TileTime &time : times_[rowOf_[step]])
        clocks.addCounters(time.tile, time.cycles);
  }

  struct TileTime {
    TileId tile;
    Cycles cycles;
    std::uint64_t stores = 0; // of these cycles, each a round of the workers
  };
  /// Empty for a step that reads none.
  [[nodiscard]] std::span<const TileTime> timesOf(StepIndex step) const {
    return rowOf_.empty() ? std::span<const TileTime>() : std::span<const TileTime>(times_[rowOf_[step]]);
  }

private:
  class Collector;
  IdVector<StepIndex, std::uint32_t> rowOf_; // steps that share a payload share its counters; empty = none has any
  std::vector<std::vector<TileTime>> times_; // the first is empty
};

} // namespace popscope
