#include "instrument/machine/LastExecution.hpp"

#include "instrument/machine/Barriers.hpp"

namespace popscope {

LastExecution::LastExecution(const StepProgram &program, const CostModel &costs, EventSink &next)
    : program_(program), next_(next), clocks_(program.numTiles, program.tilesPerIpu, costs),
      last_(program.steps.size()) {}

void LastExecution::beginRun(std::uint32_t program, const std::string &name) {
  order_.clear();
  next_.beginRun(program, name);
}

void LastExecution::step(const StepEvent &event) {
  order_.push_back(event.step);
  Kept &kept = last_[event.step.index()];
  kept.kind = event.kind;
  if (event.pattern && kept.work == event.pattern->work)
    return;
  kept.work = event.pattern ? event.pattern->work : nullptr;
  kept.counters.assign(event.counters.begin(), event.counters.end());
  if (event.kind == TimeKind::Sync)
    return; // the time of a sync follows from the other steps
  kept.controlFlow = event.controlFlow;
  kept.busy.assign(event.busy.begin(), event.busy.end());
  kept.dataIn.assign(event.dataIn.begin(), event.dataIn.end());
  kept.dataOut.assign(event.dataOut.begin(), event.dataOut.end());
  kept.threadCycles = event.threadCycles;
  kept.types.assign(event.types.begin(), event.types.end());
  kept.slots = event.slots;
}

void LastExecution::cutRun() {
  clocks_.start(&next_);
  for (const StepIndex step : order_)
    tell(step);
  order_.clear(); // the machine can refuse the next run before it begins
}

void LastExecution::endRun(std::span<const Cycles>) {
  cutRun();
  next_.endRun(clocks_.now());
}

void LastExecution::tell(StepIndex step) {
  const Kept &kept = last_[step.index()];
  // repeat() succeeds for a step that always has the same work.
  if (kept.kind != TimeKind::ControlFlow && clocks_.repeat(step, kept.slots))
    return;
  const auto add = [](const auto &values, auto &&to) {
    for (std::uint32_t t = 0; t < values.size(); ++t)
      if (values[t].count() != 0)
        to(TileId(t), values[t]);
  };
  add(kept.counters, [&](TileId tile, Cycles cycles) { clocks_.addCounters(tile, cycles); });
  if (kept.kind == TimeKind::Sync)
    return clocks_.sync(step, barriersOf(program_, step));
  if (kept.kind == TimeKind::ControlFlow)
    return clocks_.controlFlow(step, *kept.controlFlow);
  add(kept.busy, [&](TileId tile, Cycles cycles) { clocks_.addBusy(tile, cycles); });
  add(kept.dataIn, [&](TileId tile, Bytes bytes) { clocks_.addData(tile, bytes, {}); });
  add(kept.dataOut, [&](TileId tile, Bytes bytes) { clocks_.addData(tile, {}, bytes); });
  if (kept.kind == TimeKind::Compute)
    clocks_.step(step, kept.kind, kept.threadCycles, kept.types, kept.slots);
  else
    clocks_.exchange(step, kept.kind, kept.kind == TimeKind::GlobalExchange);
}

} // namespace popscope
