#include "instrument/machine/Machine.hpp"

#include "base/Check.hpp"
#include "graph/steps/DescribeStep.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/ComputeGroups.hpp"
#include "instrument/machine/ComputeRunner.hpp"
#include "instrument/machine/ComputeTime.hpp"
#include "instrument/machine/ControlCounters.hpp"
#include "instrument/machine/CounterTimes.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/HostTransfers.hpp"
#include "instrument/machine/IdleSteps.hpp"
#include "instrument/machine/PlannedSteps.hpp"
#include "instrument/machine/RaceCheck.hpp"
#include "instrument/machine/StepRunner.hpp"
#include "instrument/machine/TileRegisters.hpp"
#include "instrument/machine/VertexCycles.hpp"
#include "instrument/machine/VertexObjects.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>

namespace popscope {

namespace {

/// The separate state of each replica.
struct Replica {
  Replica(const StepProgram &steps, const CodeletSet &codelets, const ComputeGroups &groups,
          const CodeletFaults &faults, const TileMachine &machine, std::uint32_t index, const MachineOptions &options)
      : state(steps, index, halfIsFloat(machine)), objects(steps, codelets, state, options.threads),
        compute(steps, state, objects, groups, faults, options.checkRaces, options.threads), transfers(steps, state),
        registers(steps, machine.workerContexts, index, options.fpControl, options.seed) {}
  DeviceState state;
  VertexObjects objects;
  ComputeRunner compute;
  HostTransfers transfers;
  TileRegisters registers;
};

std::vector<std::unique_ptr<Replica>> makeReplicas(const StepProgram &steps, const CodeletSet &codelets,
                                                   const ComputeGroups &groups, const CodeletFaults &faults,
                                                   const TileMachine &machine, const MachineOptions &options) {
  std::vector<std::unique_ptr<Replica>> replicas;
  for (std::uint32_t r = 0; r < std::max(1u, steps.replicationFactor); ++r)
    replicas.push_back(std::make_unique<Replica>(steps, codelets, groups, faults, machine, r, options));
  return replicas;
}

} // namespace

struct Machine::Impl {
  Impl(const StepProgram &steps, const CodeletSet &codelets, const CostModel &costs, const MachineOptions &options)
      : program(steps), values(options.values), workers(costs.machine().workerContexts), groups(steps),
        faults(options.vertexLimit), replicas(makeReplicas(steps, codelets, groups, faults, costs.machine(), options)),
        cycles(steps, replicas.front()->objects, costs, options),
        computeTime(steps, replicas.front()->objects, groups, cycles, workers, options.threads,
                    options.keepsVertexCycles),
        clocks(steps.numTiles, steps.tilesPerIpu, costs, [&steps](StepIndex s) { return describeStep(steps, s); }),
        counters(steps, costs), control(steps, costs), races(steps, groups, options.threads),
        parts{
            program,           {},       computeTime, clocks, counters, control, options.checkRaces ? &races : nullptr,
            options.loopLimit, &executed} {
    for (const auto &replica : replicas)
      parts.replicas.push_back({&replica->state, &replica->compute, &replica->transfers, &replica->registers});
    POPSCOPE_CHECK(workers > 0, "the machine model '{}' has no worker contexts", costs.machine().name);
  }

  void begin(std::uint32_t engineProgram) {
    executed = 0;
    index = engineProgram;
    planned.reset();
  }

  const StepProgram &program;
  bool values;
  std::uint32_t workers;
  ComputeGroups groups;
  CodeletFaults faults;
  std::vector<std::unique_ptr<Replica>> replicas;
  VertexCycles cycles;
  ComputeTime computeTime;
  Clocks clocks;
  CounterTimes counters;
  ControlCounters control;
  RaceCheck races;
  MachineParts parts;
  std::uint64_t executed = 0;                          // steps of the present run
  std::uint32_t index = 0;                             // engine program of the present run
  std::optional<std::optional<std::uint64_t>> planned; // result of plannedSteps() for the present run; no value = not
                                                       // computed yet
  bool failed = false;                                 // an exception ended a run
};

Machine::Machine(const StepProgram &program, const CodeletSet &codelets, const CostModel &costs,
                 const MachineOptions &options)
    : impl_(std::make_unique<Impl>(program, codelets, costs, options)) {}
Machine::~Machine() = default;
Machine::Machine(Machine &&) noexcept = default;

namespace {
/// Returns the beginning of a message that refuses the program, for example "The program cannot run".
std::string attempted(const EngineProgram &program) {
  switch (program.kind) {
  case EngineProgram::Kind::HostWrite:
    return fmt::format("writeTensor: the tensor of handle \"{}\" cannot be written", program.handle);
  case EngineProgram::Kind::HostRead:
    return fmt::format("readTensor: the tensor of handle \"{}\" cannot be read", program.handle);
  case EngineProgram::Kind::User:
  case EngineProgram::Kind::ReadBlocks: break;
  }
  return "The program cannot run again";
}
} // namespace

void Machine::run(std::uint32_t index, const std::string &name, HostPort &host, EventSink *sink) {
  Impl &m = *impl_;
  POPSCOPE_CHECK(index < m.program.programs.size(), "engine program {} of {}", index, m.program.programs.size());
  if (m.failed)
    throw poplar::application_runtime_error(
        attempted(m.program.programs[index]) +
        " after a run that failed: the state of the tiles is undefined. Load the engine again.");
  if (!m.values && m.program.programs[index].kind == EngineProgram::Kind::User)
    return sink == nullptr ? void() : replay(index, name, *sink);
  m.failed = true; // until the run has ended
  // A program that reads the cycle counter needs the clocks even without a listener.
  NoListener nobody;
  m.begin(index);
  m.clocks.start(sink == nullptr && m.replicas.front()->registers.readsCycles() ? &nobody : sink);
  m.cycles.startRun();
  if (sink != nullptr)
    sink->beginRun(index, name);
  StepRunner runner(m.parts, &host, index);
  try {
    runner.run(m.program.root);
  } catch (...) {
    m.failed = !runner.stoppedItself();
    throw;
  }
  for (const auto &replica : m.replicas)
    replica->registers.endRun(m.clocks.now());
  if (sink != nullptr)
    sink->endRun(m.clocks.now());
  m.failed = false;
}

void Machine::replay(std::uint32_t index, const std::string &name, EventSink &sink) {
  Impl &m = *impl_;
  POPSCOPE_CHECK(index < m.program.programs.size(), "engine program {} of {}", index, m.program.programs.size());
  m.begin(index);
  m.clocks.start(&sink);
  m.cycles.startRun();
  sink.beginRun(index, name);
  StepRunner(m.parts, nullptr, index).run(m.program.root);
  sink.endRun(m.clocks.now());
}

Machine::Progress Machine::progress() const {
  Impl &m = *impl_;
  if (!m.planned) {
    IdleSteps idle(m.program, m.control, m.clocks.running());
    m.planned = plannedSteps(m.program, m.program.root, idle, m.index);
  }
  return {m.executed, *m.planned};
}

void Machine::takeRecords(Machine &&earlier) {
  POPSCOPE_CHECK(&impl_->program == &earlier.impl_->program, "the machines run two programs, of {} and {} steps",
                 impl_->program.steps.size(), earlier.impl_->program.steps.size());
  impl_->cycles.takeRecords(std::move(earlier.impl_->cycles));
  impl_->computeTime.takeRecords(std::move(earlier.impl_->computeTime));
}

std::string Machine::cycleProvenance(VertexTypeId type) const { return cycleSourceName(impl_->cycles.source(type)); }
std::vector<CycleOrigin> Machine::cycleOrigins() const { return impl_->cycles.origins(); }
std::vector<VertexTime> Machine::vertexTimes() const { return impl_->computeTime.vertexTimes(); }

} // namespace popscope
