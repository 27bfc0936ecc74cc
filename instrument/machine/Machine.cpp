#include "instrument/machine/Machine.hpp"

#include "base/Check.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/ComputeGroups.hpp"
#include "instrument/machine/ComputeRunner.hpp"
#include "instrument/machine/ComputeTime.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/HostTransfers.hpp"
#include "instrument/machine/RaceCheck.hpp"
#include "instrument/machine/StepRunner.hpp"
#include "instrument/machine/TileRegisters.hpp"
#include "instrument/machine/VertexCycles.hpp"
#include "instrument/machine/VertexObjects.hpp"

#include <poplar/exceptions.hpp>

namespace popscope {

struct Machine::Impl {
  Impl(const StepProgram &steps, const CodeletSet &codelets, const CostModel &costs, const MachineOptions &options)
      : program(steps), workers(costs.machine().workerContexts), state(steps), objects(steps, codelets, state),
        groups(steps), compute(steps, state, objects, groups, workers), cycles(steps, objects, costs, options),
        computeTime(steps, objects, groups, cycles, workers), transfers(steps, state),
        clocks(steps.numTiles, steps.tilesPerIpu, costs), registers(steps, workers), races(steps, groups),
        parts{program, state, compute, computeTime, transfers, clocks, registers, options.checkRaces ? &races : nullptr} {
    POPSCOPE_CHECK(workers > 0, "the machine model '{}' has no worker contexts", costs.machine().name);
  }

  const StepProgram &program;
  std::uint32_t workers;
  DeviceState state;
  VertexObjects objects;
  ComputeGroups groups;
  ComputeRunner compute;
  VertexCycles cycles;
  ComputeTime computeTime;
  HostTransfers transfers;
  Clocks clocks;
  TileRegisters registers;
  RaceCheck races;
  MachineParts parts;
  bool failed = false; // a run ended by an exception
};

Machine::Machine(const StepProgram &program, const CodeletSet &codelets, const CostModel &costs,
                 const MachineOptions &options)
    : impl_(std::make_unique<Impl>(program, codelets, costs, options)) {}
Machine::~Machine() = default;
Machine::Machine(Machine &&) noexcept = default;

void Machine::run(std::uint32_t index, const std::string &name, HostPort &host, EventSink *sink) {
  Impl &m = *impl_;
  POPSCOPE_CHECK(index < m.program.programs.size(), "engine program {} of {}", index, m.program.programs.size());
  if (m.failed)
    throw poplar::application_runtime_error("The program cannot run again after a run that failed: the state of the tiles "
                                            "is undefined. Load the engine again.");
  m.failed = true;
  // A program that asks for the time needs the clocks whether or not anybody is told.
  NoListener nobody;
  m.clocks.start(sink == nullptr && m.registers.readsCycles() ? &nobody : sink);
  m.cycles.startRun();
  if (sink != nullptr)
    sink->beginRun(index, name);
  StepRunner(m.parts, host, index).run(m.program.root);
  m.registers.endRun(m.clocks.now());
  if (sink != nullptr)
    sink->endRun(m.clocks.now());
  m.failed = false;
}

std::string Machine::cycleProvenance(VertexTypeId type) const { return cycleSourceName(impl_->cycles.source(type)); }

} // namespace popscope
