// CounterTimes: what reading the counters of a step costs its tiles, from the instructions that InsertInstrumentation
// placed beside the step. Nothing without instrumentation.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace popscope {

class CounterTimes {
public:
  /// `program` must outlive this; `costs` is read during construction only.
  CounterTimes(const StepProgram &program, const CostModel &costs);
  /// Tells the clocks, before the step's event.
  void addTo(StepIndex step, Clocks &clocks) const;

  struct TileTime { TileId tile; std::uint64_t cycles = 0; };
  /// Empty for a step that reads none.
  [[nodiscard]] std::span<const TileTime> timesOf(StepIndex step) const;

private:
  const StepProgram &program_;
  // Steps that share a payload share its counters.
  std::map<std::pair<StepKind, std::uint32_t>, std::vector<TileTime>> times_;
};

} // namespace popscope
