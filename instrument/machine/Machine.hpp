// The machine: runs a StepProgram on the host. Codelets compute real values in the memory of each tile, control flow
// depends on these values, and every tile has its own clock. The machine keeps the contents of the tiles' memory from
// run to run. Replicas run through the program together, each with its own values. All times belong to replica 0.
//
//   DeviceState   the memory of the tiles: one buffer per home, aligned for codelets
//   HostPort      the host's side of streams, remote buffers and printing, which the engine implements
//   EventSink     the listener; null while profiling is off
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Events.hpp"
#include "target-models/costs/CostModel.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace popscope {

/// The host's answers to requests of the device. The thread that runs the machine calls the functions, in program
/// order.
class HostPort {
public:
  virtual ~HostPort() = default;
  /// Sets the replica of the following calls. The machine does not call this function if there is only one replica.
  virtual void setReplica(std::uint32_t) {}
  /// Fills `data` with the next block of a host-to-device stream.
  virtual void fetch(StreamId stream, void *data, std::size_t bytes) = 0;
  /// Fills `data` with block number `block` of a host-to-device stream. The host buffer of the stream has `blocks`
  /// blocks for each replica, or `blocks` blocks in all if the stream is broadcast. Does not change the position of the
  /// stream.
  virtual void fetchBlock(StreamId stream, std::uint32_t block, std::uint32_t blocks, void *data,
                          std::size_t bytes) = 0;
  /// Receives one block of a device-to-host stream.
  virtual void deliver(StreamId stream, const void *data, std::size_t bytes) = 0;
  virtual void readRemote(StreamId buffer, std::uint64_t row, void *data, std::size_t bytes) = 0;
  virtual void writeRemote(StreamId buffer, std::uint64_t row, const void *data, std::size_t bytes) = 0;
  virtual void print(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                     std::uint32_t format, const void *data) = 0;
};

struct MachineOptions {
  /// Threads of the host on which the machine runs. Results do not depend on the number of threads.
  Threads threads;
  /// False if popscope.values is "skipped". For a user program, run() then acts as replay(); without a sink, run() then
  /// does nothing.
  bool values = true;
  /// True on an IPU (but not on an IPU Model) if `values` is true: the machine uses estimates only for vertices whose
  /// instructions the stand-in cannot count.
  bool countsCode = false;
  /// True if the machine reports vertices that race, or that write outside of their outputs (debug.runtimeVerify).
  bool checkRaces = false;
  /// Maximum processor time of one vertex on the host. The value 0 means that there is no limit.
  std::chrono::seconds vertexLimit{0};
  /// Maximum processor time of the process in a RepeatWhile without a copy from or to the host. Each copy from or to
  /// the host restarts the time (LoopLimit.hpp). The value 0 means that there is no limit.
  std::chrono::seconds loopLimit{0};
  /// True if vertexTimes() will be called.
  bool keepsVertexCycles = false;
  /// Initial value of the floating-point control register of every tile, in the encoding of Target::makeFpIctlValue.
  std::uint32_t fpControl = 0;
  /// Selects the sequence of random seeds.
  std::uint64_t seed = 0;
  /// Maximum number of instructions that the stand-in executes for a vertex (for a MultiVertex, for each worker).
  std::uint64_t standInInstructionLimit = 200'000'000;
  /// Maximum number of instructions that all stand-in runs of one Machine::run execute together. When this number is
  /// used up, a vertex takes its last known cycles, or the last known cycles of a similar vertex (see
  /// VertexCycles.hpp). VertexCycles::countFlops() has a separate budget.
  std::uint64_t standInBudget = 4'000'000'000;
};

/// Floating-point operations that the stand-in counted. The numbers cover only vertices without an estimate of
/// operations. If a vertex was counted several times, its last count applies. Some of these vertices have an estimate
/// of cycles. Without MachineOptions::countsCode, the stand-in counts the vertices with this estimate only in the first
/// execution of their compute set.
struct CountedFlops {
  std::uint64_t vertices = 0, operations = 0;
  friend bool operator==(const CountedFlops &, const CountedFlops &) = default;
};

/// The source of the cycles of one vertex type in a compute set. "" means that the cycles are unknown. The sources,
/// from the most direct to the least direct, are:
/// - "estimate": setPerfEstimate;
/// - "estimator": the estimator that is registered for the type;
/// - "codelet": getCycleEstimate;
/// - "stand-in": the stand-in counted the instructions on the vertex's values;
/// - "last known": the last known cycles of the same vertex or a similar vertex;
/// - "runtime": lowering computed the cycles, for a copy vertex.
struct CycleOrigin {
  ComputeSetId computeSet;
  VertexTypeId type;
  std::string source;
  std::uint64_t vertices = 0; // maximum number of these vertices in one execution
  /// For the sources "" and "last known": the reason why a more direct source does not apply. For the sources
  /// "estimate", "estimator" and "codelet" on an IPU device: the reason why the stand-in did not count the vertices. ""
  /// in all other cases.
  std::string reason;
  CountedFlops flops;
  friend bool operator==(const CycleOrigin &, const CycleOrigin &) = default;
};

/// One vertex or copy of an executed compute set.
struct VertexTime {
  ComputeSetId computeSet;
  VertexTypeId type;
  TileId tile;
  std::uint32_t row = 0;        // index in StepProgram::vertices or, for a copy, in StepProgram::copies
  std::optional<Cycles> cycles; // cycles of the last timed execution; for a worker vertex, thread cycles
};

class Machine {
public:
  /// Allocates tile memory and sets initial values. `program`, `codelets` and `costs` must outlive the machine.
  Machine(const StepProgram &program, const CodeletSet &codelets, const CostModel &costs,
          const MachineOptions &options);
  ~Machine();
  Machine(Machine &&) noexcept;

  /// Runs the engine program `index` of StepProgram::programs, which include host accesses. Computes values with and
  /// without a sink (but see MachineOptions::values). If `sink` is null, time passes only if a step of the program
  /// reads the cycle counter. Throws poplar::application_runtime_error if an Abort, AbortOnCondition or ErrorProgram
  /// ends the run, if a loop does not end, or if a host copy has a wrong offset. Throws the same exception for a
  /// CrossReplicaCopy that only a part of the replicas reaches. For a faulty codelet, throws the exceptions of
  /// ComputeRunner::run. Throws poplar::poplar_error for a race under checkRaces. Throws poplar::overflow_error if the
  /// timed runs together take too many cycles (Clocks.hpp). After an Abort, AbortOnCondition or ErrorProgram, the
  /// machine can run again. After any other exception in a run that computes values, each further call of run() throws
  /// poplar::application_runtime_error. The records of the machine remain readable. Not thread-safe; functions of
  /// `host` must not call run().
  void run(std::uint32_t index, const std::string &name, HostPort &host, EventSink *sink);

  /// Emits the events of a run without running it: nothing is computed, moved, printed or requested from the host, and
  /// memory does not change. A vertex without an estimate takes the cycles of its last timed execution. If no execution
  /// of the vertex was timed, the vertex takes the cycles that getCycleEstimate of its class returns. Throws
  /// poplar::poplar_error if a value decides which steps run or how long they take. Throws
  /// poplar::application_runtime_error for Abort and ErrorProgram. After either exception, the machine can still run.
  void replay(std::uint32_t index, const std::string &name, EventSink &sink);

  /// The progress of a run. `steps` is the number of steps that were executed so far, and `all` is the number of steps
  /// that the whole run executes. Steps that have children or call a function do not count. `all` is empty if values of
  /// the program decide this number.
  struct Progress {
    std::uint64_t steps = 0;
    std::optional<std::uint64_t> all;
  };
  /// Returns the progress of the current run. Call progress() only during run() or replay(), on the thread that called
  /// them. The first call in a run takes time linear in the steps of the program.
  [[nodiscard]] Progress progress() const;

  /// Takes over the results of cycleProvenance(), cycleOrigins() and vertexTimes() from `earlier`, as if this machine
  /// had made the runs of `earlier`. `earlier` must be a machine of the same program and options. Call this function
  /// before the first run. Without the call, the results cover only the runs of this machine. `earlier` loses these
  /// results.
  void takeRecords(Machine &&earlier);
  /// Returns the least direct source of the cycles that vertices of this type have had so far (see CycleOrigin), or ""
  /// if there is no source.
  [[nodiscard]] std::string cycleProvenance(VertexTypeId type) const;
  /// Returns one row for each combination of compute set, vertex type and source of cycles that occurred so far. The
  /// rows are sorted by compute set, then vertex type, then source.
  [[nodiscard]] std::vector<CycleOrigin> cycleOrigins() const;
  /// Returns the vertices of each compute set that was timed so far (executed with a sink); the copies of a compute set
  /// follow its other vertices. Without keepsVertexCycles, the result is empty for a program with vertices.
  [[nodiscard]] std::vector<VertexTime> vertexTimes() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace popscope
