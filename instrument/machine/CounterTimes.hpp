// CounterTimes: what reading the counters of a step costs its tiles, from the instructions that InsertInstrumentation
// placed beside the step, and what recording blocks costs (lightweight profiling). Nothing without instrumentation.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace popscope {

class CounterTimes {
public:
  /// `program` must outlive this; `costs` is read during construction only.
  CounterTimes(const StepProgram &program, const CostModel &costs);
  /// Tells the clocks, before the step's event.
  void addTo(StepIndex step, Clocks &clocks) const;
  /// Tells the clocks what recording the begin or the end of a Block costs.
  void addBlockEdge(Clocks &clocks) const;

private:
  struct TileTime { TileId tile; std::uint64_t cycles = 0; };
  void addStreamCopies(std::uint64_t cycles);
  const StepProgram &program_;
  std::uint64_t blockEdgeCycles_ = 0;                     // 0 where records cost nothing
  // Steps that share a payload share its counters.
  std::map<std::pair<StepKind, std::uint32_t>, std::vector<TileTime>> times_;
};

} // namespace popscope
