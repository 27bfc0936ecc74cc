#include "instrument/counters/StepStatistics.hpp"

#include "instrument/counters/FirstStart.hpp"

#include <algorithm>

namespace popscope {

StepStatistics::StepStatistics(std::size_t numSteps, EventSink &next, ProfileSink &records)
    : next_(next), records_(records), byStep_(numSteps) {}

void StepStatistics::beginRun(std::uint32_t program, const std::string &name) {
  std::fill(byStep_.begin(), byStep_.end(), StepStatisticsRecord());
  next_.beginRun(program, name);
}

void StepStatistics::step(const StepEvent &event) {
  if (event.kind != TimeKind::Sync && event.kind != TimeKind::ControlFlow && event.edge == BlockEdge::None) {
    StepStatisticsRecord &row = byStep_[event.step.index()];
    const Cycles cycles = longestWork(event);
    row.program = event.step.index();
    row.minCycles = row.executions == 0 ? cycles : std::min(row.minCycles, cycles);
    row.maxCycles = std::max(row.maxCycles, cycles);
    row.sumCycles += cycles;
    row.known = row.known && cyclesKnown(event);
    ++row.executions;
  }
  next_.step(event);
}

void StepStatistics::endRun(std::span<const Cycles> clocks) {
  std::vector<StepStatisticsRecord> executed;
  std::copy_if(byStep_.begin(), byStep_.end(), std::back_inserter(executed),
               [](const StepStatisticsRecord &row) { return row.executions != 0; });
  records_.statistics(executed);
  next_.endRun(clocks);
}

} // namespace popscope
