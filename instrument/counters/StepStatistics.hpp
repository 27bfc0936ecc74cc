// StepStatistics: counts the executions of each program with work, and adds up the cycles of these executions. Syncs,
// loops, conditionals and blocks have no statistics. In a chain of listeners, StepStatistics must come before listeners
// that drop events.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

class StepStatistics : public EventSink {
public:
  /// Makes a listener that passes all events on to `next`, and the statistics of each complete run to `records`. `next`
  /// and `records` must outlive this object.
  StepStatistics(std::size_t numSteps, EventSink &next, ProfileSink &records);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;

private:
  EventSink &next_;
  ProfileSink &records_;
  std::vector<StepStatisticsRecord> byStep_;
};

} // namespace popscope
