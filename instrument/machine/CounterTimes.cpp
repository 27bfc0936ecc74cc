#include "instrument/machine/CounterTimes.hpp"

namespace popscope {

CounterTimes::CounterTimes(const StepProgram &program, const CostModel &costs) : program_(program) {
  const std::uint32_t counterBytes = costs.machine().instrument.counterBytes;
  for (const StepStorage &row : program.storage) {
    if (row.category != StorageCategory::InstrumentationResults || counterBytes == 0 || row.instructions == 0)
      continue; // what no code of its own fills: a buffer of blocks
    const Step &step = program.steps[row.step];
    const Cycles cycles = costs.counterRead(row.bytes / counterBytes, row.instructions);
    times_[{step.kind, step.payload}].push_back({row.tile, cycles.count()});
  }
  if (program.blockProfile.recordsPerTile == 0)
    return;
  blockEdgeCycles_ = costs.counterRead(1, costs.machine().instrument.blockEdgeInstr).count();
  if (program.blockProfile.streamCopies)
    addStreamCopies(2 * blockEdgeCycles_);
}

/// The begin and the end of a phase are both recorded when it is over: its tiles have no time before.
void CounterTimes::addStreamCopies(std::uint64_t cycles) {
  for (std::uint32_t i = 0; i < program_.streamCopies.size(); ++i) {
    const StreamCopyStep &copy = program_.streamCopies[i];
    for (const StepKind kind : {StepKind::StreamCopyBegin, StepKind::StreamCopyMid, StepKind::StreamCopyEnd})
      for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t)
        times_[{kind, i}].push_back({program_.hostTiles[t].tile, cycles});
  }
}

void CounterTimes::addBlockEdge(Clocks &clocks) const {
  if (blockEdgeCycles_ == 0)
    return;
  for (const TileId tile : program_.blockProfile.tiles)
    clocks.addCounters(tile, blockEdgeCycles_);
}

void CounterTimes::addTo(StepIndex step, Clocks &clocks) const {
  if (times_.empty())
    return;
  const auto found = times_.find({program_.steps[step].kind, program_.steps[step].payload});
  if (found == times_.end())
    return;
  for (const TileTime &time : found->second)
    clocks.addCounters(time.tile, time.cycles);
}

} // namespace popscope
