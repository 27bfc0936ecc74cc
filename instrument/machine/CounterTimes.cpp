#include "instrument/machine/CounterTimes.hpp"

namespace popscope {

CounterTimes::CounterTimes(const StepProgram &program, const CostModel &costs) : program_(program) {
  const std::uint32_t counterBytes = costs.machine().instrument.counterBytes;
  for (const StepStorage &row : program.storage) {
    if (row.category != StorageCategory::InstrumentationResults || counterBytes == 0)
      continue;
    const Step &step = program.steps[row.step];
    const Cycles cycles = costs.counterRead(row.bytes / counterBytes, row.instructions);
    times_[{step.kind, step.payload}].push_back({row.tile, cycles.count()});
  }
}

std::span<const CounterTimes::TileTime> CounterTimes::timesOf(StepIndex step) const {
  if (times_.empty())
    return {};
  const auto found = times_.find({program_.steps[step].kind, program_.steps[step].payload});
  return found == times_.end() ? std::span<const TileTime>() : std::span<const TileTime>(found->second);
}

void CounterTimes::addTo(StepIndex step, Clocks &clocks) const {
  for (const TileTime &time : timesOf(step))
    clocks.addCounters(time.tile, time.cycles);
}

} // namespace popscope
