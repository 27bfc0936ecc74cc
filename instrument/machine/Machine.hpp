// The machine: runs a StepProgram on the host. Codelets compute real values in each tile's memory, control flow follows
// real data, and every tile has its own clock. It is the only stage with state. Replicas run through the program
// together, each with its own values; time is that of replica 0.
//
//   DeviceState   the tiles' memory: one byte buffer per home, aligned for codelets
//   HostPort      the host's side of streams, remote buffers and printing, implemented by the engine
//   EventSink     the listener; null while profiling is off
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Events.hpp"
#include "target-models/costs/CostModel.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace popscope {

/// The host's answers to requests of the device. Calls come from the thread that runs the machine, in program order.
class HostPort {
public:
  virtual ~HostPort() = default;
  /// Sets the replica of the following calls. It is not called if there is only one replica.
  virtual void setReplica(std::uint32_t) {}
  /// Fills `data` with the next block of a host-to-device stream.
  virtual void fetch(StreamId stream, void *data, std::size_t bytes) = 0;
  /// Fills `data` with block `block` of the `blocks` in the host buffer of a host-to-device stream. The stream's
  /// position does not change.
  virtual void fetchBlock(StreamId stream, std::uint32_t block, std::uint32_t blocks, void *data,
                          std::size_t bytes) = 0;
  /// Takes one block of a device-to-host stream.
  virtual void deliver(StreamId stream, const void *data, std::size_t bytes) = 0;
  virtual void readRemote(StreamId buffer, std::uint64_t row, void *data, std::size_t bytes) = 0;
  virtual void writeRemote(StreamId buffer, std::uint64_t row, const void *data, std::size_t bytes) = 0;
  virtual void print(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                     std::uint32_t format, const void *data) = 0;
};

struct MachineOptions {
  Threads threads;                     // threads of the host; results do not depend on their number
  bool values = true;                  // popscope.values; false: run() of a user program acts as
                                       // replay()
  bool countsCode = false;             // true on a device: estimates are used only for code that cannot be
                                       // counted
  bool checkRaces = false;             // debug.runtimeVerify: reports vertices that race, or write
                                       // outside of their operands
  std::chrono::seconds vertexLimit{0}; // processor time of one codelet on the host; 0 = no limit
  std::chrono::seconds loopLimit{0};   // processor time of one RepeatWhile without the host; 0 = no
                                       // limit
  bool keepsVertexCycles = false;      // required by vertexTimes()
  std::uint32_t fpControl = 0;         // initial value on every tile, in the encoding of
                                       // Target::makeFpIctlValue
  std::uint64_t seed = 0;              // start of the sequence of random seeds
  std::uint64_t standInInstructionLimit = 200'000'000; // per vertex run (per worker of a MultiVertex)
  std::uint64_t standInBudget = 4'000'000'000; // instructions of all stand-in runs of one Machine::run; when it is
                                               // spent, a vertex takes its last known cycles
};

/// Floating-point operations that the stand-in counted in the last execution, for vertices without an estimate of
/// operations.
struct CountedFlops {
  std::uint64_t vertices = 0, operations = 0;
  friend bool operator==(const CountedFlops &, const CountedFlops &) = default;
};

/// The source of the cycles of some vertices of a compute set. The sources, from the most direct to the least direct:
/// "estimate" (setPerfEstimate), "estimator" (registered for the type), "codelet" (its getCycleEstimate), "stand-in"
/// (instructions counted on the vertex's values), "last known" (of the same or a similar vertex), "runtime" (of a copy
/// vertex, by lowering); "" if they are not known.
struct CycleOrigin {
  ComputeSetId computeSet;
  VertexTypeId type;
  std::string source;
  std::uint64_t vertices = 0; // the maximum number in one execution
  std::string
      reason; // for the sources "" and "last known", and for an estimate on a device: why there is no better source
  CountedFlops flops;
  friend bool operator==(const CycleOrigin &, const CycleOrigin &) = default;
};

/// One vertex or copy of an executed compute set.
struct VertexTime {
  ComputeSetId computeSet;
  VertexTypeId type;
  TileId tile;
  std::uint32_t row = 0;        // index in StepProgram::vertices, or for a copy in StepProgram::copies
  std::optional<Cycles> cycles; // cycles of its last timed execution; thread cycles for a worker
};

class Machine {
public:
  /// Allocates tile memory and sets initial values. `program`, `codelets` and `costs` must outlive the machine.
  Machine(const StepProgram &program, const CodeletSet &codelets, const CostModel &costs,
          const MachineOptions &options);
  ~Machine();
  Machine(Machine &&) noexcept;

  /// Runs engine program `index` (of StepProgram::programs, host accesses included). `sink` may be null: then values
  /// are computed and no time passes. Throws poplar::application_runtime_error for Abort and similar steps, and
  /// poplar::poplar_error for a race under checkRaces. After an exception the machine can only be destroyed. Not
  /// thread-safe.
  void run(std::uint32_t index, const std::string &name, HostPort &host, EventSink *sink);

  /// Emits the time of such a run without running it: nothing is computed, moved, printed or requested from the host,
  /// and memory does not change. A vertex without estimate takes the cycles of its last run; if it never ran, those of
  /// its class's getCycleEstimate. Throws poplar::poplar_error if a value decides what happens or how long it takes;
  /// the machine can still run after that.
  void replay(std::uint32_t index, const std::string &name, EventSink &sink);

  /// Returns the source of a vertex type's cycles so far: the least direct of those of its vertices (see CycleOrigin);
  /// "" = none.
  [[nodiscard]] std::string cycleProvenance(VertexTypeId type) const;
  /// Returns one row for each compute set, vertex type and source of cycles that occurred so far, sorted in this order.
  [[nodiscard]] std::vector<CycleOrigin> cycleOrigins() const;
  /// Returns the vertices of each compute set that was executed so far, copies last; none without keepsVertexCycles.
  [[nodiscard]] std::vector<VertexTime> vertexTimes() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace popscope
