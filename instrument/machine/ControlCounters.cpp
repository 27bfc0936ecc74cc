#include "instrument/machine/ControlCounters.hpp"

namespace popscope {
namespace {

bool isControlFlow(const StepProgram &program, const Step &step) {
  return stepKindRow(step.kind).counters == StepCounters::Control && !isEngineSwitch(program, step);
}

} // namespace

ControlCounters::ControlCounters(const StepProgram &program, const CostModel &costs) {
  const InstrumentModel &model = costs.machine().instrument;
  const auto watch = [&](StepIndex step, const Watched &how) {
    if (watched_.empty())
      watched_.resize(program.steps.size());
    watched_[step.index()] = how;
  };
  if (costs.machine().kind == DeviceKind::IpuModel)
    for (std::size_t s = 0; s < program.steps.size(); ++s)
      if (const StepIndex step = program.steps.idAt(s); isControlFlow(program, program.steps[step]))
        watch(step, {TileId(program.numTiles - 1), {}, {}});
  for (const StepStorage &row : program.storage) {
    const Step &step = program.steps[row.step];
    if (row.category != StorageCategory::InstrumentationResults || model.counterBytes == 0 ||
        !isControlFlow(program, step))
      continue;
    Watched how{row.tile, {}, {}};
    std::uint64_t instructions = row.instructions;
    if (step.kind == StepKind::RepeatWhile) { // one part of the code runs once, and the other part runs in each
                                              // iteration
      how.cyclesPerIteration = Cycles(model.iterationInstr);
      instructions -= model.countIterationsInstr();
    }
    how.readCycles = how.cyclesPerIteration + costs.counterRead(row.bytes / Bytes32(model.counterBytes), instructions);
    watch(row.step, how);
  }
}

void ControlCounters::leave(StepIndex step, Cycles entered, std::uint64_t taken, Clocks &clocks) const {
  const Watched &how = watched_[step.index()];
  const Cycles cycles = clocks.now(how.tile) - entered;
  if (const Cycles own = how.readCycles + taken * how.cyclesPerIteration; own != Cycles())
    clocks.addCounters(how.tile, own);
  clocks.controlFlow(step, {cycles, taken});
}

} // namespace popscope
