// CounterTimes: the cycles that a step's tiles take to read counters, and to record blocks (lightweight profiling). The
// cycles to read counters follow from the instructions that InsertInstrumentation placed next to the step. Without
// instrumentation, the cycles of reading counters and of recording blocks are zero.
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
  /// Computes the times of all steps. Reads `program` and `costs` only during construction.
  CounterTimes(const StepProgram &program, const CostModel &costs);
  /// Adds the step's times to the clocks. Call addTo() before the step's event. For a recorded Block, call addTo()
  /// before each of the two events.
  void addTo(StepIndex step, Clocks &clocks) const {
    if (!rowOf_.empty())
      for (const TileTime &time : times_[rowOf_[step]])
        clocks.addCounters(time.tile, time.cycles);
  }

  struct TileTime {
    TileId tile;
    Cycles cycles;
    std::uint64_t stores = 0; // number of stores in these cycles; each store takes workerContexts cycles
  };
  /// Returns the times of a step, or an empty list if the step neither reads a counter nor records a block.
  [[nodiscard]] std::span<const TileTime> timesOf(StepIndex step) const {
    return rowOf_.empty() ? std::span<const TileTime>() : std::span<const TileTime>(times_[rowOf_[step]]);
  }

private:
  class Collector;
  // Steps with the same kind and payload share a row. The table is empty if no step reads counters or records blocks.
  IdVector<StepIndex, std::uint32_t> rowOf_;
  std::vector<std::vector<TileTime>> times_; // row 0 is empty; steps that neither read a counter nor record a
                                             // block use row 0
};

} // namespace popscope
