// EveryExecution: records the start and the cycles of every execution of each program with work, for
// popscope.recordEveryExecution. Syncs, loops, conditionals and blocks have no records. In a chain of listeners,
// EveryExecution must come before listeners that drop events.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

class EveryExecution : public EventSink {
public:
  /// Makes a listener that passes all events on to `next`. The listener passes the executions of steps of `kinds` to
  /// `records`, several at a time. `next` and `records` must outlive this object.
  EveryExecution(std::size_t numSteps, EventSink &next, ProfileSink &records, StepKindsMask kinds = kAllStepKinds);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Ends a run that stopped early: passes the run's executions to `records`.
  void cutRun() { flush(); }

private:
  void flush();
  void flush(ExecutionsRecord &record);

  EventSink &next_;
  ProfileSink &records_;
  StepKindsMask kinds_;
  std::vector<ExecutionsRecord> byStep_; // by step: executions that have not been passed to `records` yet
  std::size_t pending_ = 0;
};

} // namespace popscope
