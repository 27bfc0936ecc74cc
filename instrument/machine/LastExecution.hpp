// LastExecution: what the counters of a device still hold at the end of a run. A counter has room for one result, so
// that of a step that was executed several times only the last execution is known. The run is told again with those
// times:
//
//   executed    A 100   B 7   A 120   B 7        (the cycles of A depend on its values)
//   told        A 120   B 7   A 120   B 7
//
// The clocks of what is told are made from its own times, so that everything adds up.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/Events.hpp"

#include <vector>

namespace popscope {

class LastExecution : public EventSink {
public:
  /// `program` and `next` must outlive this; `costs` is read during construction only. `next` hears of a run when it
  /// has ended.
  LastExecution(const StepProgram &program, const CostModel &costs, EventSink &next);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Tells what was executed of a run that does not end.
  void cutRun();

private:
  struct Kept {
    TimeKind kind = TimeKind::Compute;
    TileTimes busy, counters;
    TileData dataIn, dataOut;
    std::optional<Cycles> threadCycles;
    std::vector<StepEvent::TypeCycles> types;
    std::shared_ptr<const SlotCycles> slots;
    std::shared_ptr<const StepWork> work;         // null: as the vectors say; else these are of it
    std::optional<ControlFlowResult> controlFlow; // as the counters hold it, not as what is told adds up to
  };
  void tell(StepIndex step);

  const StepProgram &program_;
  EventSink &next_;
  Clocks clocks_;
  std::vector<StepIndex> order_;
  std::vector<Kept> last_; // by step; empty vectors where never executed
};

} // namespace popscope
