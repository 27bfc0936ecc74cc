// LastExecution: emulates the counters of a device at the end of a run. A counter has room for one result, so of a step
// that was executed several times only the last execution is known. The run is emitted again with those times:
//
//   executed    A 100   B 7   A 120   B 7        (the cycles of A depend on its values)
//   emitted     A 120   B 7   A 120   B 7
//
// The clocks of the emitted run follow from its own times, so that all sums agree. Memory: one record per step, and one
// entry per executed step of a run.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/Events.hpp"

#include <vector>

namespace popscope {

class LastExecution : public EventSink {
public:
  /// Makes the object. `program` and `next` must outlive it; `costs` is read during construction only. `next` gets the
  /// events of a run when the run has ended.
  LastExecution(const StepProgram &program, const CostModel &costs, EventSink &next);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Passes on the executions of a run that stopped early.
  void cutRun();

private:
  struct Kept {
    TimeKind kind = TimeKind::Compute;
    TileTimes busy, counters;
    TileData dataIn, dataOut;
    std::optional<Cycles> threadCycles;
    std::vector<StepEvent::TypeCycles> types;
    std::shared_ptr<const SlotCycles> slots;
    std::shared_ptr<const StepWork> work;         // null: the vectors hold the work; otherwise they belong to it
    std::optional<ControlFlowResult> controlFlow; // the counters' values; they may differ from the emitted steps
  };
  void tell(StepIndex step);

  const StepProgram &program_;
  EventSink &next_;
  Clocks clocks_;
  std::vector<StepIndex> order_;
  std::vector<Kept> last_; // per step; empty vectors if it was never executed
};

} // namespace popscope
