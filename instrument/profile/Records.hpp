// The profile as plain records with units. engine/collect and instrument/counters produce the records, and a
// ProfileSink (report/pop) stores them. An unknown value is std::nullopt, or -1 where a comment states this. Exceptions
// are values that another member marks as unknown, for example StepOnIpu::detail or RunTotals::totalKnown. Vectors per
// tile are indexed by global tile (ipu * tilesPerIpu + tile); an empty vector means that the values are unknown.
#pragma once
#include "base/Ids.hpp"
#include "base/StringTable.hpp"
#include "base/TileMemory.hpp"
#include "instrument/machine/SlotCycles.hpp"
#include "instrument/profile/AdviceRecords.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

enum class Provenance : std::uint8_t { Exact, Estimated, Imported };

// ------------------------------------------------------------------ compilation
struct TargetRecord {
  std::string type;         // "IPU", "IPU_MODEL", "CPU"
  std::string architecture; // "ipu1", "ipu2", "ipu21", "cpu", or the name of a new architecture
  std::uint64_t numIpus = 1, tilesPerIpu = 0, numReplicas = 1;
  Bytes bytesPerTile;
  double clockHz = 0;
  std::uint64_t workerContexts = 6;
  Bytes interleavedOffset; // start of the interleaved region, relative to the start of memory; 0 = none
  std::string machine;     // the whole machine as JSON (tileMachineToJson)
};
struct GraphRecord {
  std::uint64_t numVertices = 0, numEdges = 0, numVariables = 0, numComputeSets = 0;
};
/// A warning about a setting without effect, a change by popscope.applyAdvice, or a vertex type whose code has an
/// unknown size. `about` is the setting, such as "debug.computeInstrumentationLevel", or names the vertex type. `text`
/// is the reason, or the change in words.
struct WarningRecord {
  std::string about, text;
  bool operator==(const WarningRecord &) const = default;
};
struct OptionRecord {
  std::string scope, key, value;
  bool isDefault = true;
}; // scope is "engine" or "target"
/// The options and warnings of an engine. If the engine was made from an executable, the engine's options and warnings
/// may differ from the options and warnings of the compilation.
struct SettingsRecord {
  std::vector<OptionRecord> options;
  std::vector<WarningRecord> warnings;
};

/// A list of pairs (tile, value), sorted by tile; a tile without a pair has the value 0. A value is a plain number, as
/// in the profile file. The name or the comment of a list states the unit.
using TileValues = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// Data that moves from one IPU to another (also between replicas) in a GlobalExchange. A tile takes at least as long
/// as the slowest transfer with data from or for this tile. The tile takes longer if its own data needs more time to
/// leave or enter the tile.
struct LinkTransferRecord {
  std::uint32_t fromIpu = 0, toIpu = 0; // numbered over the IPUs of all replicas
  Bytes bytes;
  TileValues tiles; // the tiles of one replica that send or receive a part of the data, each with the value 1
  bool operator==(const LinkTransferRecord &) const = default;
};
/// The bytes that groups of neighbouring tiles send to each other in an exchange. A message to several tiles counts
/// once per receiving tile. The lists are empty if the traffic was not recorded.
struct TrafficRecord {
  std::uint32_t tilesPerGroup = 1;                          // a power of two; group g contains the tiles [g *
                                                            // tilesPerGroup, (g + 1) * tilesPerGroup)
  std::vector<std::uint32_t> fromGroups, toGroups, bytes{}; // equal lengths; sorted by sender, then receiver
  bool operator==(const TrafficRecord &) const = default;
};
/// The sizes of the messages that a tile receives in an exchange, and the number of messages of each size.
struct MessageSizesRecord {
  std::uint32_t buses = 1;                    // number of neighbouring tiles that receive the same data; the buses of
                                              // all these tiles carry the messages
  std::vector<std::uint32_t> bytes, messages; // for each size in bytes, ascending: the number of messages
  auto operator<=>(const MessageSizesRecord &) const = default;
};

struct ProgramRecord { // the id of a program is its position in `programs`; this number is also the index of its step
                       // in the lowered program
  std::string type;    // name of a pva::Program::Type: "DoExchange", "Switch", "OnTileExecute", "Sync", ...
  std::string name;
  std::int64_t parent = -1;                // program id; -1 = no parent (a control program or a function body)
  bool isFunction = false;                 // true for the root of a function body
  std::int64_t callee = -1;                // for a Call: id of the root of the function body that the Call runs; -1 =
                                           // not recorded
  std::int64_t computeSet = -1;            // for an OnTileExecute: index into CompilationRecord::computeSets
  Bytes controlCodeEveryTile;              // bytes of control code on every tile, including the code of the program's
                                           // children
  std::uint64_t count = 0;                 // for a Repeat: number of iterations
  std::int64_t exchangeCodeOf = -1;        // id of the program whose exchange code this program executes; -1 = this
                                           // program executes exchange code of its own, or none
  std::uint64_t debugContext = 0;          // id of the DebugInfo in which the program was created; 0 = none
  std::vector<std::uint64_t> moreContexts; // the contexts of other programs that were merged into this program, in
                                           // program order
  std::vector<std::string> barriers;       // barriers that the tiles pass, in order: "internal", "external", "global",
                                           // "host request" or "host answer"
  bool livenessPoint = false;              // true: the program is in CompilationRecord::livenessSteps
};
/// The per-tile data of one program.
struct ProgramTilesRecord {
  TileValues controlCode;  // bytes in addition to controlCodeEveryTile, including the code of the program's children
  TileValues exchangeCode; // for an exchange or a host copy: bytes of code
  TileValues bytesSent, bytesReceived, estimatedCycles;
  // The following members are additional input for a re-simulation.
  TileValues counterCycles;              // cycles of reading counters after the program's work
  TileValues counterStores;              // number of stores whose cycles counterCycles includes; each store takes
                                         // workerContexts cycles
  TileValues receiveDistance;            // for a DoExchange: distance in tiles to the furthest sender
  TileValues messageSizes;               // for a DoExchange: index into CompilationRecord::messageSizes, plus 1
  std::vector<LinkTransferRecord> links; // for a GlobalExchange
  TrafficRecord traffic;                 // for a DoExchange, or a GlobalExchange within a replica
  TileValues messagesReceived, receiveLatency, receiveTransfer, receiveControls; // for a DoExchange: see ExchangeTile
};
struct ComputeSetVertices {
  std::uint32_t vertexType = 0;
  TileValues countByTile;
  // Floating-point operations in one execution, from estimates of the program.
  std::int64_t flopVertices = -1; // number of vertices with an estimate, and of copy vertices; -1 = not recorded
  std::int64_t flops = -1;        // sum over these vertices; -1 = there are no such vertices
  // Cycles in one execution that are known before a run: the program's estimates, and the cycles of copy vertices. On
  // an IPU (not on an IPU Model), no cycles are known before a run.
  std::int64_t estimatedVertices = -1; // number of vertices with known cycles, including copy vertices; -1 = not
                                       // recorded
  Cycles estimatedCycles{};            // sum over these vertices
};
/// The elements that the vertices of one type in a compute set access through one field, or that copies move.
struct VertexOperandRecord {
  std::uint32_t vertexType = 0;
  std::string field;       // "" = unknown, in an executable whose codelets are unknown
  std::string elementType; // such as "float"; "" for copies, whose elements are bytes
  bool read = false, written = false;
  std::uint64_t edges = 0, elements = 0; // sums over all these vertices; each inner vector of a vector of vectors is an
                                         // edge
  std::uint64_t leastElements = 0, mostElements = 0; // minimum and maximum number of elements of an edge
  Bytes bytes;                                       // total size of the elements
};
struct ComputeSetRecord {
  std::string name;
  std::vector<ComputeSetVertices> vertices;
  TileValues estimatedCyclesByTile;            // empty = not estimated before the run
  std::vector<VertexOperandRecord> operands{}; // sorted by vertex type, then field
};
struct VertexFieldRecord { // one member of a vertex's state on the tile, in declaration order
  std::string name;        // name of the field; "" = padding
  std::string kind;        // "state", "edge" or "padding"
  Bytes offset, bytes;     // position and size in the state
  Bytes bytesPerElement;   // bytes outside of the state, per element or inner vector; 0 = none
  std::string outside;     // storage category of the bytes outside of the state
};
struct VertexTypeRecord {
  std::string name;
  Bytes stateBytes; // size of the state of one instance
  std::uint64_t instances = 0;
  Bytes memoryBytes; // as in "By Type" of the summary: state, field data and descriptors of all instances, plus the
                     // code once per tile
  std::vector<VertexFieldRecord> fields; // the fields' bytes add up to stateBytes; empty for copy vertices
  std::string cycleProvenance; // "estimate", "estimator", "codelet", "stand-in", "last known", "runtime", "" = none
};
struct VertexOnTileRecord { // one record per tile and type on the tile
  std::uint32_t tile = 0, vertexType = 0;
  std::uint64_t count = 0;
  Bytes codeBytes, internalState, edgePointers, copyPointers, padding, descriptors;
};
using TileMemoryRecord = TileMemory;
/// The tiles on which a variable is live at other steps than on its remaining tiles. The reason is that a compute set
/// or a copy accesses the variable at other steps on these tiles.
struct LivePartRecord {
  std::int64_t liveClass = -1; // index into livenessClasses
  Bytes bytes;
  TileValues bytesByTile;
};
struct LiveVariableRecord { // the id of a variable is its position in `variables`
  NameId name;              // id in CompilationRecord::variableNames
  Bytes bytes;              // bytes on all tiles of one replica
  bool alwaysLive = false;
  std::int64_t liveClass = -1; // index into livenessClasses; -1 for pseudo-variables of code and system data
  StorageCategory category = StorageCategory::Variable;
  TileValues bytesByTile;
  std::vector<LivePartRecord> parts; // the parts with a class other than liveClass, sorted by class; on all other tiles
                                     // the variable has liveClass
};
struct LoweredVariableRecord {
  std::int64_t variable = -1; // LiveVariableRecord id; -1 for code and system data
  NameId name;                // id in CompilationRecord::variableNames
  std::uint32_t tile = 0;
  Bytes offset, bytes;
  std::uint64_t alignment = 0; // in bytes
  StorageCategory category = StorageCategory::Variable;
  bool alwaysLive = false, overlapped = false, isConstant = false;
  std::int64_t occupiedClass = -1;
};
struct LivenessClassRecord {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> intervals;
}; // half-open intervals of program ids
struct LivenessStepRecord {
  std::uint32_t program = 0;
  Bytes bytes;
  std::vector<Bytes> bytesByIpu;
};
/// One kind of sync. A tile's signal reaches the sync controller after toController cycles. The release of a tile comes
/// fromController cycles after the last signal has arrived at the controller. Both lists have one value per tile of one
/// replica.
struct SyncDelayRecord {
  std::string kind;
  bool acrossIpus = false;
  std::vector<std::uint32_t> toController, fromController;
};
struct MachineCostRecord {
  std::string key;
  double value = 0;
  std::string unit;
};
struct PassOptimisationRecord {
  std::string name, unit;
  std::uint64_t before = 0, after = 0;
};

struct CompilationRecord {
  std::string poplarVersion; // version text of Popscope, for example "3.4.0 (popscope 1.0.0)"
  TargetRecord target;
  GraphRecord graph;
  bool codeIncluded = true; // false for an IPU Model without compileIPUCode
  std::vector<OptionRecord> options;
  std::vector<WarningRecord> warnings;
  std::vector<ProgramRecord> programs;
  std::vector<ProgramTilesRecord> programTiles; // per program; programs beyond the end of this list have no data on any
                                                // tile
  std::vector<std::uint32_t> controlPrograms;   // ids of the root programs, without the roots of functions. Popscope
                                                // records one root, which contains all programs of the engine
  std::vector<ComputeSetRecord> computeSets;
  std::vector<VertexTypeRecord> vertexTypes;
  std::vector<VertexOnTileRecord> verticesOnTile; // sorted by tile, then type
  std::vector<TileMemoryRecord> tiles;
  std::vector<std::uint32_t> tilesOutOfMemory; // fullest first
  StringTable variableNames;                   // names of the variables and lowered variables below
  std::vector<LiveVariableRecord> variables;   // includes pseudo-variables
  std::vector<LivenessClassRecord> livenessClasses;
  std::vector<LivenessStepRecord> livenessSteps;       // one record for each program with livenessPoint, in order
  Bytes alwaysLiveBytes, maxLiveBytes;                 // the maximum includes always-live bytes
  std::vector<LoweredVariableRecord> loweredVariables; // only with autoReport.outputLoweredVars
  std::vector<PassOptimisationRecord> optimisations;
  std::vector<SyncDelayRecord> syncDelays;
  std::vector<MachineCostRecord> machineCosts;
  std::vector<MessageSizesRecord> messageSizes;
  bool debugContexts = false; // true: programs refer to their DebugInfo
  AdviceRecord advice;        // trials: only with popscope.tryAdvice; the other members: only with
                              // autoReport.outputLivenessExplanation
};

/// A phase of the compilation, as measured by the clocks of this process. The phases are not a part of
/// CompilationRecord, so that two compilations of one program give the same CompilationRecord.
struct CompilePhaseRecord {
  std::string name;
  std::int64_t parent = -1; // index of the phase that contains this phase; -1 = none
  double startMicroseconds = 0, wallMicroseconds = 0, cpuMicroseconds = 0; // CPU time is the sum over all threads of
                                                                           // the process
  std::optional<Bytes> bytesBefore, bytesAfter; // memory of the process before and after the phase
  std::optional<Bytes> peakBytes;               // peak memory of the process up to the end of the phase
};

// ------------------------------------------------------------------ execution
/// A set of kinds of steps. The bit 1 << k stands for the steps whose time has TimeKind k.
using StepKindsMask = std::uint8_t;
inline constexpr StepKindsMask kAllStepKinds = 0x3F;
/// The names of step kinds in options and files, in the order of TimeKind.
inline constexpr const char *kStepKindNames[] = {"compute", "exchange", "globalExchange",
                                                 "host",    "sync",     "controlFlow"};
struct RunRecord {
  std::string name;                        // debug name that was passed to Engine::run
  std::uint32_t program = 0;               // index that was passed to Engine::run
  std::optional<double> startMicroseconds; // host clock; no value = the clock was not read
  std::optional<double> endMicroseconds;   // no value = the run has not ended, or the clock was not read
  std::uint64_t number = 0;                // number of earlier calls of Engine::run
  std::string label{};                     // label of the popscope::profile::Scope in which the run took place
  StepKindsMask kinds = kAllStepKinds;     // kinds of steps whose time is recorded
};
struct VertexTypeCycles {
  std::uint32_t vertexType = 0;
  std::uint64_t instances = 0;
  std::optional<Cycles> cycles;
};
/// The recorded times of a step on one IPU. The bytes of data and the number of active tiles are recorded at every
/// detail, because the compiler fixes these numbers.
enum class TimeDetail : std::uint8_t {
  Nothing,   // no times
  Duration,  // cycles and busyCycles; the times at which tiles enter and leave the step are unknown
  Longest,   // cycles, activeFromMin, activeToMax (the sum of the first two), and allToMax
  EveryTile, // all fields
};
struct StepOnIpu {
  Cycles cycles; // activeToMax - activeFromMin; 0 if no tile is active
  std::uint64_t activeTiles = 0;
  Cycles busyCycles; // sum over tiles of the cycles in which the tile works on the step, including idle threads
  // The times of the first (Min) and of the last (Max) tile. In names with `all`, From and To are the times at which a
  // tile enters and leaves the step. In names with `active`, From and To are the times at which an active tile begins
  // and ends its work.
  Cycles allFromMin, allFromMax, allToMin, allToMax;
  Cycles activeFromMin, activeFromMax, activeToMin, activeToMax;
  Bytes dataIn, dataOut;
  Bytes maxTileData; // largest number of bytes that one tile sends and receives together
  TimeDetail detail = TimeDetail::EveryTile;
};
struct StepRecord {          // one executed step
  std::uint32_t program = 0; // program id
  /// For an OnTileExecute: the busy cycles of all worker slots, summed over all tiles and divided by the number of
  /// slots per tile. Idle threads do not count.
  std::optional<Cycles> threadCycles;
  std::shared_ptr<const SlotCycles> slots; // for an OnTileExecute; null = unknown
  std::vector<StepOnIpu> ipus;
  std::vector<std::uint32_t> cyclesByTile;   // busy cycles, 0 = the tile takes no part; empty for a Sync, and if the
                                             // cycles are unknown
  std::vector<VertexTypeCycles> vertexTypes; // for an OnTileExecute, most cycles first
};
/// Returns the record with all times shifted by `cycles`, except the times of active tiles if no tile is active.
[[nodiscard]] inline StepOnIpu laterBy(StepOnIpu ipu, Cycles cycles) {
  for (Cycles *time : {&ipu.allFromMin, &ipu.allFromMax, &ipu.allToMin, &ipu.allToMax})
    *time += cycles;
  if (ipu.activeTiles != 0)
    for (Cycles *time : {&ipu.activeFromMin, &ipu.activeFromMax, &ipu.activeToMin, &ipu.activeToMax})
      *time += cycles;
  return ipu;
}
[[nodiscard]] inline StepRecord laterBy(StepRecord record, Cycles cycles) {
  for (StepOnIpu &ipu : record.ipus)
    ipu = laterBy(ipu, cycles);
  return record;
}
/// Sums over the tiles of one run, in tile cycles. StepRecord defines threadCycles. The sum compute + exchange +
/// globalExchange + hostExchange + sharedStructureCopy + sync + unattributed equals totalCycles times the number of
/// tiles.
struct RunTotals {
  Cycles totalCycles;                 // length of the run, not a sum over tiles
  Cycles compute;                     // includes idle threads
  std::optional<Cycles> threadCycles; // does not include idle threads
  Cycles exchange, globalExchange, hostExchange, sharedStructureCopy, sync, unattributed;
  // `unattributed` is the sum of two parts. counterReads contains the cycles to read the counters of compute and
  // external exchange, and to record blocks. controlFlowReads contains the cycles to read the counters of control flow.
  Cycles counterReads, controlFlowReads;
  bool totalKnown = true;    // false: the cycles of some executed vertices are unknown, so totalCycles, compute and
                             // sync are unknown
  bool computeKnown = true;  // false: compute was not recorded on all tiles, so compute and sync are unknown
  bool externalKnown = true; // false: globalExchange and hostExchange were not recorded on all tiles, so these two
                             // sums and sync are unknown
};
/// The number of executions of a program in a run, and the cycles of these executions. The cycles of an execution are
/// the cycles for which the slowest tile works. The simulator knows these numbers for every level of instrumentation.
struct StepStatisticsRecord {
  std::uint32_t program = 0;
  std::uint64_t executions = 0;
  Cycles minCycles, maxCycles, sumCycles; // the mean is sumCycles / executions
  bool known = true;                      // false: the cycles of some executed vertices are unknown, so the three
                                          // numbers are unknown, too
};
/// A block of lightweight profiling. The cycles of a block come from the tile's own counter, which continues from run
/// to run.
struct BlockRecord {
  enum class Kind : std::uint8_t { Common, StreamCopy, BlockFlush, Overflow }; // Overflow: a period in which records
                                                                               // were lost
  std::uint32_t tile = 0, program = 0; // for an Overflow, `program` is the first program whose record was lost
  Kind kind = Kind::Common;
  Cycles from;
  std::optional<Cycles> to; // no value = the run stopped before the end of the block
  std::uint64_t run = 0;    // number of the call of Engine::run, from 0
};
/// Consecutive calls of Engine::run that were not recorded.
struct PausedRecord {
  std::uint64_t firstRun = 0, runs = 0;
  std::string reason;           // see pva::PausedSpan
  std::optional<Cycles> cycles; // no value = the cycles were not measured
};
/// Executions of one program in a run, in order: all executions, or a consecutive part. The simulator knows the
/// executions for every level of instrumentation.
struct ExecutionsRecord {
  std::uint32_t program = 0;
  std::uint64_t first = 0; // number of earlier executions of the program in the run
  // Start of the first active tile's work (firstStart() states the start if no tile is active), in cycles since the
  // start of the run. Starts in one record differ by less than 2^32. Starts are plain numbers, as in the file.
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> cycles; // cycles of work of the slowest tile; 2^32 - 1 if this number exceeds 32 bits
};
/// Live memory at one sampled step of a run. An executed step is counted if its program is a liveness step. Loops,
/// conditionals and recorded blocks are not counted. popscope.sampleMemory is the number of counted steps from one
/// sample to the next.
struct MemorySampleRecord {
  std::uint64_t position = 0; // number of earlier counted steps of the run
  Cycles cycle;               // start of the step (firstStart()), or the cycle of the previous sample, whichever is
                              // later
  std::uint32_t program = 0;
  Bytes bytes; // live bytes at the step over all tiles of one replica, including always-live bytes
};
/// The last execution of a loop or conditional in a run.
struct ControlFlowRecord {
  std::uint32_t program = 0;
  Cycles cycles;                      // cycles from entry to exit, on the recording tile
  std::optional<std::uint64_t> taken; // for a loop: number of iterations; for a conditional: index of the executed
                                      // child; no value = no label matched
};
/// The source of the cycles of one vertex type in a compute set, over all recorded runs of the engine.
struct CycleSourceRecord {
  std::uint32_t computeSet = 0, vertexType = 0;
  std::string source;         // a value of vertex_types.cycle_provenance; "" = the cycles are unknown
  std::uint64_t vertices = 0; // maximum number of these vertices in one execution
  std::string reason;         // see CycleOrigin::reason
  /// flopVertices: the number of vertices without an estimate of operations for which the stand-in counted the
  /// floating-point operations. flops: the sum of these operations. If a vertex was counted several times, its last
  /// count applies.
  std::uint64_t flopVertices = 0, flops = 0;
};
/// A vertex or a copy of an executed compute set.
struct VertexRecord {
  std::uint32_t computeSet = 0, vertexType = 0, tile = 0;
  std::string operands;         // "in: a, out: b": fields, each with the variables that are connected to the field
  std::optional<Cycles> cycles; // cycles of the vertex's last recorded execution; for a worker vertex, thread cycles
};
/// The detail at which the instrumentation on an IPU records the cycles of compute sets. Nothing: no cycles. Device:
/// the cycles of the slowest tile of the device. Ipu: the cycles of the slowest tile of each IPU. Tile: the cycles of
/// each tile. Vertex: the cycles of each vertex.
enum class ComputeDetail : std::uint8_t { Nothing, Device, Ipu, Tile, Vertex };
/// The parts of an execution that the instrumentation on an IPU records. An IPU Model records all parts (the defaults).
struct RecordedDetail {
  ComputeDetail compute = ComputeDetail::Vertex;
  bool external = true;                // host copies and exchanges between IPUs
  bool controlFlow = true;             // loops and conditionals
  StepKindsMask kinds = kAllStepKinds; // steps of other kinds have no time, independent of the fields above
  friend bool operator==(const RecordedDetail &, const RecordedDetail &) = default;
};

/// A receiver of a profile while the profile is produced. The caller calls compilation() once. Then, for each run, the
/// caller calls beginRun(), step() or stepAgain() for each step, and endRun().
class ProfileSink {
public:
  virtual ~ProfileSink() = default;
  virtual void compilation(const CompilationRecord &record) = 0;
  virtual void beginRun(const RunRecord &record) = 0;
  virtual void step(const StepRecord &record) = 0;
  /// Receives a step that equals `record`, except that all times of the step are later by `later` cycles. Equal steps
  /// come with the same object, so that a sink can reuse its earlier results for this object.
  virtual void stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) {
    step(laterBy(*record, later));
  }
  /// Receives the statistics of a run. The caller calls statistics() after the last step of the run, and before
  /// endRun().
  virtual void statistics(const std::vector<StepStatisticsRecord> &) {}
  /// Receives blocks. The caller may call blocks() at any time after the compilation. The blocks of one tile come in
  /// ascending order of their begin.
  virtual void blocks(const std::vector<BlockRecord> &) {}
  /// Receives a span of unrecorded runs. The span replaces an earlier span with the same firstRun. The caller calls
  /// paused() between runs.
  virtual void paused(const PausedRecord &) {}
  virtual void controlFlow(const std::vector<ControlFlowRecord> &) {}
  virtual void cycleSources(const std::vector<CycleSourceRecord> &) {}
  /// Receives all vertices. The caller calls vertices() between runs, and only if single vertices are recorded.
  virtual void vertices(const std::vector<VertexRecord> &) {}
  /// Receives executions of programs. The caller may call executions() at any time within a run.
  virtual void executions(const ExecutionsRecord &) {}
  /// Receives samples of memory, in the order of time. The caller may call memorySamples() at any time within a run.
  virtual void memorySamples(const std::vector<MemorySampleRecord> &) {}
  virtual void endRun(const RunTotals &totals, std::optional<double> endMicroseconds) = 0;
  /// Forgets all recorded runs.
  virtual void resetExecution() = 0;
};

} // namespace popscope
