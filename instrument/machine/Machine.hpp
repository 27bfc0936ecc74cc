// The machine: runs a StepProgram on the host. Codelets compute real values in each tile's memory, control flow
// follows real data, every tile has its own clock. The one stateful stage. Replicas go through the program together,
// each with its own values; time is that of replica 0.
//
//   DeviceState   the tiles' memory: one byte buffer per home, aligned for codelets
//   HostPort      the host's side of streams, remote buffers and printing, implemented by the engine
//   EventSink     who is told; null while profiling is off
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

/// What the host does when the device asks. Calls come from the thread that runs the machine, in program order.
class HostPort {
public:
  virtual ~HostPort() = default;
  /// What follows is on behalf of this replica; not called where there is only one.
  virtual void setReplica(std::uint32_t) {}
  /// Fills `data` with the next block of a host-to-device stream.
  virtual void fetch(StreamId stream, void *data, std::size_t bytes) = 0;
  /// Fills `data` with block `block` of the `blocks` that a host-to-device stream's host buffer has; its position
  /// stays.
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
  Threads threads;                                     // on the host; results do not depend on it
  bool values = true;                                  // popscope.values; false: run() of a user program is replay()
  bool countsCode = false;                             // as a device: estimates only where the code cannot be counted
  bool checkRaces = false;                             // debug.runtimeVerify: name vertices that race, or write
                                                       // outside of their operands
  std::chrono::seconds vertexLimit{0};                 // of a codelet's processor time on the host; 0 = none
  bool keepsVertexCycles = false;                      // for vertexTimes()
  std::uint32_t fpControl = 0;                         // of every tile at first, as Target::makeFpIctlValue makes it
  std::uint64_t seed = 0;                              // where the sequence of random seeds begins
  std::uint64_t standInInstructionLimit = 200'000'000; // per vertex run (per worker of a MultiVertex)
  std::uint64_t standInBudget = 4'000'000'000; // instructions of all stand-in runs of one Machine::run; when it is
                                               // spent, the last known cycles of a vertex are used
};

/// Floating-point operations that the stand-in counted in the last execution, of vertices whose estimate says of none.
struct CountedFlops {
  std::uint64_t vertices = 0, operations = 0;
  friend bool operator==(const CountedFlops &, const CountedFlops &) = default;
};

/// Where the cycles of some vertices of a compute set came from. From the most direct source to the least: "estimate"
/// (setPerfEstimate), "estimator" (registered for the type), "codelet" (its getCycleEstimate), "stand-in" (instructions
/// counted on the vertex's values), "last known" (of the same or a like vertex), "runtime" (of a copy vertex, by
/// lowering); "" where they are not known.
struct CycleOrigin {
  ComputeSetId computeSet;
  VertexTypeId type;
  std::string source;
  std::uint64_t vertices = 0; // the most in one execution
  std::string reason;         // of "" and "last known", and of an estimate on a device: why not better
  CountedFlops flops;
  friend bool operator==(const CycleOrigin &, const CycleOrigin &) = default;
};

/// One vertex or copy of an executed compute set.
struct VertexTime {
  ComputeSetId computeSet;
  VertexTypeId type;
  TileId tile;
  std::uint32_t row = 0;        // in StepProgram::vertices, of a copy in StepProgram::copies
  std::optional<Cycles> cycles; // of its last execution with time; thread cycles of workers
};

class Machine {
public:
  /// `program`, `codelets` and `costs` must outlive the machine. Allocates tile memory and sets initial values.
  Machine(const StepProgram &program, const CodeletSet &codelets, const CostModel &costs,
          const MachineOptions &options);
  ~Machine();
  Machine(Machine &&) noexcept;

  /// Runs engine program `index` (of StepProgram::programs, host accesses included). `sink` may be null: then values
  /// are computed and no time passes. Throws poplar::application_runtime_error for Abort and its like,
  /// poplar::poplar_error for a race under checkRaces. After an exception the machine can only be destroyed. Not
  /// thread-safe.
  void run(std::uint32_t index, const std::string &name, HostPort &host, EventSink *sink);

  /// The time of such a run alone: nothing is computed, moved, printed or asked of the host, and memory stays as it is.
  /// A vertex without estimate takes what it took when it last ran; the class's own estimate is asked where it never
  /// did. Throws poplar::poplar_error, and the machine can go on, where a value decides what happens or how long it
  /// takes.
  void replay(std::uint32_t index, const std::string &name, EventSink &sink);

  /// Where the cycles of a vertex type came from so far: the least direct of the sources that its vertices had, see
  /// CycleOrigin; "" = none.
  [[nodiscard]] std::string cycleProvenance(VertexTypeId type) const;
  /// The same for each compute set, type and source so far, in this order.
  [[nodiscard]] std::vector<CycleOrigin> cycleOrigins() const;
  /// The vertices of each compute set that was executed so far, copies last; none without keepsVertexCycles.
  [[nodiscard]] std::vector<VertexTime> vertexTimes() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace popscope
