// LastExecution: emulates the counters of a device, which are read at the end of a run. A counter has space for one
// result. So if a step was executed several times, only its last execution is known. At the end of the run,
// LastExecution passes on the events of all executions. Every event of a step has the times of the step's last
// execution:
//
//   executed    A 100   B 7   A 120   B 7        (the cycles of A depend on its values)
//   emitted     A 120   B 7   A 120   B 7
//
// The clocks of the emitted run follow from the emitted times, so that all sums are consistent. Memory: one record per
// step, and one entry per execution of a step in a run.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/Events.hpp"

#include <vector>

namespace popscope {

class LastExecution : public EventSink {
public:
  /// Keeps references to `program` and `next`, which must outlive the object. Reads `costs` only during construction.
  /// `next` receives the events of a run after the run has ended.
  LastExecution(const StepProgram &program, const CostModel &costs, EventSink &next);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Ends a run that stopped early: passes the run's events to the next listener. Does nothing if no run has begun since
  /// the last run ended.
  void cutRun();

private:
  struct Kept {
    TimeKind kind = TimeKind::Compute;
    TileTimes busy, counters;
    TileData dataIn, dataOut;
    std::optional<Cycles> threadCycles;
    std::vector<StepEvent::TypeCycles> types;
    std::shared_ptr<const SlotCycles> slots;
    std::shared_ptr<const StepWork> work;         // the object that has the same work as the members above; null = the
                                                  // machine reported no such object
    std::optional<ControlFlowResult> controlFlow; // the values of the counters; these values may be inconsistent with
                                                  // the emitted steps
  };
  void tell(StepIndex step);

  const StepProgram &program_;
  EventSink &next_;
  Clocks clocks_;
  std::vector<StepIndex> order_;
  std::vector<Kept> last_; // per step; its vectors are empty if the step was never executed
};

} // namespace popscope
