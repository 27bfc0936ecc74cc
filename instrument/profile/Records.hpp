// The profile as plain records with units. engine/collect and instrument/counters produce them, and a ProfileSink
// (report/pop) stores them. An unknown value is std::nullopt, never 0. Vectors per tile are indexed by global tile (ipu
// * tilesPerIpu + tile); an empty one means "not known".
#pragma once
#include "base/Ids.hpp"
#include "base/StorageCategory.hpp"
#include "base/StringTable.hpp"
#include "base/Units.hpp"
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
  std::string architecture; // "ipu1", "ipu2", "ipu21", "cpu", or a custom model's name
  std::uint64_t numIpus = 1, tilesPerIpu = 0, numReplicas = 1;
  Bytes bytesPerTile;
  double clockHz = 0;
  std::uint64_t workerContexts = 6;
  Bytes interleavedOffset; // start of the interleaved region, from the base; 0 = none
  std::string machine;     // the whole machine as JSON (tileMachineToJson)
};
struct GraphRecord {
  std::uint64_t numVertices = 0, numEdges = 0, numVariables = 0, numComputeSets = 0;
};
struct WarningRecord {
  std::string about, text;
  bool operator==(const WarningRecord &) const = default;
}; // "debug.computeInstrumentationLevel", why it has no effect
struct OptionRecord {
  std::string scope, key, value;
  bool isDefault = true;
}; // scope: "engine", "target"

/// Sparse values per tile: sorted by tile, zero if absent. They are plain numbers, as a file packs them: the name of a
/// list contains the unit.
using TileValues = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// Data that goes from one IPU to another in a GlobalExchange, also between replicas. Each tile of a link takes as long
/// as the slowest of its links.
struct LinkTransferRecord {
  std::uint32_t fromIpu = 0, toIpu = 0; // numbered over all replicas
  Bytes bytes;
  TileValues tiles; // 1 for each tile of one replica that sends or receives a part of it
  bool operator==(const LinkTransferRecord &) const = default;
};
/// Traffic of an exchange between groups of neighbouring tiles. A message to several tiles counts once per tile. Empty
/// if it was not recorded.
struct TrafficRecord {
  std::uint32_t tilesPerGroup = 1;                          // a power of two; group g = tiles [g * n, (g + 1) * n)
  std::vector<std::uint32_t> fromGroups, toGroups, bytes{}; // equal lengths; by sender, then receiver
  bool operator==(const TrafficRecord &) const = default;
};
/// The messages that a tile receives in an exchange, by size.
struct MessageSizesRecord {
  std::uint32_t buses = 1;                    // number of neighbours whose buses carry them and that receive the same
  std::vector<std::uint32_t> bytes, messages; // number of messages of each size; ascending sizes
  auto operator<=>(const MessageSizesRecord &) const = default;
};

struct ProgramRecord { // id = position; equals the step index of the lowered program
  std::string type;    // pva Program.Type name: "DoExchange", "Switch", "OnTileExecute", "Sync", ...
  std::string name;
  std::int64_t parent = -1;                // program id; -1 = a root (control program or function body)
  bool isFunction = false;                 // root of a function body
  std::int64_t computeSet = -1;            // for OnTileExecute
  Bytes controlCodeEveryTile;              // own control code on every tile, with that of its children
  std::uint64_t count = 0;                 // for a Repeat
  std::int64_t exchangeCodeOf = -1;        // program whose exchange code this one executes; -1 = its own, or none
  std::uint64_t debugContext = 0;          // id of the DebugInfo in which it was created; 0 = none
  std::vector<std::uint64_t> moreContexts; // the contexts of the other merged programs, in program order
  std::vector<std::string> barriers; // barriers that all tiles pass in this order: "internal", "external" or "global"
  bool livenessPoint = false;        // listed in livenessProgramSteps
};
/// The part of a program on single tiles.
struct ProgramTilesRecord {
  TileValues controlCode;  // bytes in addition to controlCodeEveryTile, with those of its children
  TileValues exchangeCode; // DoExchange, GlobalExchange, StreamCopy*: code bytes
  TileValues bytesSent, bytesReceived, estimatedCycles;
  // Further input of a re-simulation.
  TileValues counterCycles;              // cycles of reading counters after the program's work
  TileValues counterStores;              // rounds of the workers within counterCycles
  TileValues receiveDistance;            // DoExchange: number of tiles to the furthest sender
  TileValues messageSizes;               // DoExchange: CompilationRecord::messageSizes, counted from 1
  std::vector<LinkTransferRecord> links; // GlobalExchange
  TrafficRecord traffic;                 // DoExchange, GlobalExchange within a replica
  TileValues messagesReceived, receiveLatency, receiveTransfer, receiveControls; // DoExchange: see ExchangeTile
};
struct ComputeSetVertices {
  std::uint32_t vertexType = 0;
  TileValues countByTile;
  // Floating-point operations in one execution, from estimates of the program.
  std::int64_t flopVertices = -1; // number of vertices with an estimate; -1 = not recorded
  std::int64_t flops = -1;        // sum over these vertices; -1 = there are none
  // Cycles in one execution that are known before anything runs, from estimates of the program and copies of the
  // runtime. On a device these cycles are not known before a run.
  std::int64_t estimatedVertices = -1; // number of vertices with an estimate; -1 = not recorded
  Cycles estimatedCycles{};            // sum over these vertices
};
/// The elements that the vertices of one type in a compute set access through one field, or that copies move.
struct VertexOperandRecord {
  std::uint32_t vertexType = 0;
  std::string field;       // "" = an executable whose codelets are not known
  std::string elementType; // "float"; "" of copies, whose elements are bytes
  bool read = false, written = false;
  std::uint64_t edges = 0, elements = 0; // summed over all these vertices; in a vector of vectors each inner
                                         // vector counts
  std::uint64_t leastElements = 0, mostElements = 0; // minimum and maximum of one edge
  Bytes bytes;                                       // size of the elements
};
struct ComputeSetRecord {
  std::string name;
  std::vector<ComputeSetVertices> vertices;
  TileValues estimatedCyclesByTile;            // empty = not estimated before the run
  std::vector<VertexOperandRecord> operands{}; // sorted by vertex type, then field
};
struct VertexFieldRecord { // one entry of a vertex's state on the tile, in declaration order
  std::string name;        // the field's name; "" = padding
  std::string kind;        // "state", "edge" or "padding"
  Bytes offset, bytes;     // within the state
  Bytes bytesPerElement;   // outside of the state, per element or inner vector; 0 = none
  std::string outside;     // storage category of those bytes
};
struct VertexTypeRecord {
  std::string name;
  Bytes stateBytes; // of one instance
  std::uint64_t instances = 0;
  Bytes memoryBytes; // "By Type" row: state, field data and descriptors of all instances, and code once per tile
  std::vector<VertexFieldRecord> fields; // their bytes sum up to stateBytes; empty for copy vertices
  std::string cycleProvenance; // "estimate", "estimator", "codelet", "stand-in", "last known", "runtime", "" = none
};
struct VertexOnTileRecord { // one row per tile and type present
  std::uint32_t tile = 0, vertexType = 0;
  std::uint64_t count = 0;
  Bytes codeBytes, internalState, edgePointers, copyPointers, padding, descriptors;
};
enum class RegionIndex : std::uint8_t { NonInterleaved = 0, Interleaved = 1, Overflowed = 2 };
struct TileMemoryRecord {
  std::array<std::array<std::array<Bytes, 2>, 3>, kNumStorageCategories>
      category{};                                    // [category][region][0 not overlapped, 1 overlapped]
  std::array<Bytes, kNumStorageCategories> usedBy{}; // addresses; those that several categories share over time count
                                                     // as "multiple"
  std::array<Bytes, 3> regionExcludingGaps{}, regionIncludingGaps{};
  Bytes totalExcludingGaps, totalIncludingGaps;
  Bytes afterOverlapping; // addresses occupied by overlapped allocations
  Bytes lowerBoundOverlapped;
  Bytes alwaysLiveBytes, maxNotAlwaysLiveBytes;
};
/// Tiles on which a variable is live at other steps than elsewhere, because a source finishes with it earlier there.
struct LivePartRecord {
  std::int64_t liveClass = -1; // index into livenessClasses
  Bytes bytes;
  TileValues bytesByTile;
};
struct LiveVariableRecord { // id = position
  NameId name;              // in CompilationRecord::variableNames
  Bytes bytes;              // bytes on all tiles of one replica
  bool alwaysLive = false;
  std::int64_t liveClass = -1; // index into livenessClasses; -1 for pseudo-variables of code and system data
  StorageCategory category = StorageCategory::Variable;
  TileValues bytesByTile;
  std::vector<LivePartRecord> parts; // the parts that differ, by class; all other tiles have liveClass
};
struct LoweredVariableRecord {
  std::int64_t variable = -1; // LiveVariableRecord id; -1 for code and system data
  NameId name;                // in CompilationRecord::variableNames
  std::uint32_t tile = 0;
  Bytes offset, bytes;
  std::uint64_t alignment = 0; // bytes
  StorageCategory category = StorageCategory::Variable;
  bool alwaysLive = false, overlapped = false, isConstant = false;
  std::int64_t occupiedClass = -1;
};
struct LivenessClassRecord {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> intervals;
}; // half-open, program ids
struct LivenessStepRecord {
  std::uint32_t program = 0;
  Bytes bytes;
  std::vector<Bytes> bytesByIpu;
};
/// One way to sync. A tile's signal takes toController cycles. fromController is the number of cycles from the last
/// arrival at the controller to the release of a tile. Per tile of one replica.
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
  std::string poplarVersion; // our version text, e.g. "3.4.0 (popscope 1.0.0)"
  TargetRecord target;
  GraphRecord graph;
  bool codeIncluded = true; // false: IPU Model without compileIPUCode
  std::vector<OptionRecord> options;
  std::vector<WarningRecord> warnings;
  std::vector<ProgramRecord> programs;
  std::vector<ProgramTilesRecord> programTiles; // per program; programs after its end have nothing on any tile
  std::vector<std::uint32_t> controlPrograms;   // root program ids in engine order (functions not included)
  std::vector<ComputeSetRecord> computeSets;
  std::vector<VertexTypeRecord> vertexTypes;
  std::vector<VertexOnTileRecord> verticesOnTile; // sorted by tile, then type
  std::vector<TileMemoryRecord> tiles;
  std::vector<std::uint32_t> tilesOutOfMemory; // fullest first
  StringTable variableNames;                   // the names of the variables below, lowered or not
  std::vector<LiveVariableRecord> variables;   // pseudo-variables included
  std::vector<LivenessClassRecord> livenessClasses;
  std::vector<LivenessStepRecord> livenessSteps;       // programs with livenessPoint, in order
  Bytes alwaysLiveBytes, maxLiveBytes;                 // the maximum includes always-live bytes
  std::vector<LoweredVariableRecord> loweredVariables; // only with autoReport.outputLoweredVars
  std::vector<PassOptimisationRecord> optimisations;
  std::vector<SyncDelayRecord> syncDelays;
  std::vector<MachineCostRecord> machineCosts;
  std::vector<MessageSizesRecord> messageSizes;
  bool debugContexts = false; // programs refer to their DebugInfo
  AdviceRecord advice;        // only with autoReport.outputLivenessExplanation
};

/// A phase of the compilation as the clocks of this process measured it. It is not part of CompilationRecord, which is
/// the same in each compilation.
struct CompilePhaseRecord {
  std::string name;
  std::int64_t parent = -1; // position of the phase that contains it; -1 = none
  double startMicroseconds = 0, wallMicroseconds = 0, cpuMicroseconds = 0; // CPU: sum over all threads of the process
  std::optional<Bytes> bytesBefore, bytesAfter;                            // memory of the process
  std::optional<Bytes> peakBytes; // the peak of the process up to the end of the phase
};

// ------------------------------------------------------------------ execution
/// A set of step kinds: bits 1 << TimeKind.
using StepKindsMask = std::uint8_t;
inline constexpr StepKindsMask kAllStepKinds = 0x3F;
/// The names in options and files, in the order of TimeKind.
inline constexpr const char *kStepKindNames[] = {"compute", "exchange", "globalExchange",
                                                 "host",    "sync",     "controlFlow"};
struct RunRecord {
  std::string name;                        // debug name given to Engine::run
  std::uint32_t program = 0;               // index given to Engine::run
  std::optional<double> startMicroseconds; // host clock; none where it was not read
  std::optional<double> endMicroseconds;   // known once the run ended
  std::uint64_t number = 0;                // the number of earlier calls of Engine::run
  std::string label{};                     // the label of the popscope::profile::Scope in which the run took place
  StepKindsMask kinds = kAllStepKinds;     // kinds of steps whose time is recorded
};
struct VertexTypeCycles {
  std::uint32_t vertexType = 0;
  std::uint64_t instances = 0;
  std::optional<Cycles> cycles;
};
/// The recorded part of a step's time on one IPU. Data and active tiles are always known, because they are static.
enum class TimeDetail : std::uint8_t {
  Nothing,   // no time
  Duration,  // cycles and busyCycles, but not when
  Longest,   // cycles, entry of the first active tile, exit of the last one
  EveryTile, // all fields
};
struct StepOnIpu {
  Cycles cycles; // activeToMax - activeFromMin; 0 when no tile is active
  std::uint64_t activeTiles = 0;
  Cycles busyCycles; // sum over tiles of cycles in this step's work, with idle threads
  Cycles allFromMin, allFromMax, allToMin, allToMax;
  Cycles activeFromMin, activeFromMax, activeToMin, activeToMax;
  Bytes dataIn, dataOut;
  Bytes maxTileData; // largest (in + out) of one tile
  TimeDetail detail = TimeDetail::EveryTile;
};
struct StepRecord {          // one executed step
  std::uint32_t program = 0; // program id
  std::optional<Cycles>
      threadCycles; // OnTileExecute: sum over tiles of busy worker slots' cycles / workers (without idle threads)
  std::shared_ptr<const SlotCycles> slots; // OnTileExecute; null = not known
  std::vector<StepOnIpu> ipus;
  std::vector<std::uint32_t> cyclesByTile;   // busy cycles, 0 = not involved; empty for Sync
  std::vector<VertexTypeCycles> vertexTypes; // OnTileExecute, descending cycles
};
/// Returns the same summary some cycles later. Without active tiles, there are no times of active tiles to shift.
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
/// Sums over tiles of one run, in tile cycles (threadCycles as in StepRecord). On every tile, compute + exchange +
/// globalExchange + hostExchange + sync + unattributed = total.
struct RunTotals {
  Cycles totalCycles;                 // the length of the run, not a sum over tiles
  Cycles compute;                     // with idle threads
  std::optional<Cycles> threadCycles; // without idle threads
  Cycles exchange, globalExchange, hostExchange, sharedStructureCopy, sync, unattributed;
  // The named causes whose sum is unattributed: reading the counters of compute and external exchange, and of control
  // flow.
  Cycles counterReads, controlFlowReads;
  bool computeKnown = true;  // false: compute is not recorded for all tiles; sync is not known either
  bool externalKnown = true; // the same for globalExchange and hostExchange
};
/// Counts a program's executions in a run and their cycles: the slowest tile's cycles of work. The simulator knows
/// these numbers whatever the instrumentation records.
struct StepStatisticsRecord {
  std::uint32_t program = 0;
  std::uint64_t executions = 0;
  Cycles minCycles, maxCycles, sumCycles; // the mean is sumCycles / executions
};
/// A block of lightweight profiling. Cycles of the tile's own counter, which continues from run to run.
struct BlockRecord {
  enum class Kind : std::uint8_t { Common, StreamCopy, BlockFlush, Overflow }; // Overflow: records were lost meanwhile
  std::uint32_t tile = 0, program = 0; // for an Overflow, `program` is the first program whose record was lost
  Kind kind = Kind::Common;
  Cycles from;
  std::optional<Cycles> to; // no value: the run stopped before
  std::uint64_t run = 0;    // number of the call of Engine::run, from 0
};
/// Consecutive calls of Engine::run that were not recorded.
struct PausedRecord {
  std::uint64_t firstRun = 0, runs = 0;
  std::string reason;           // see pva::PausedSpan
  std::optional<Cycles> cycles; // no value: no time was kept
};
/// Executions of one program in a run, in order: all of them, or a part. The simulator knows them, as it knows the
/// statistics.
struct ExecutionsRecord {
  std::uint32_t program = 0;
  std::uint64_t first = 0; // the number of executions before these
  // Start of the first active tile's work, in cycles since the start of the run. Starts of one record differ by less
  // than 2^32. They are plain numbers, as a file packs them.
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> cycles; // slowest tile's cycles of work; the largest number if they exceed 32 bits
};
/// Live memory in the course of a run: at every n-th step with a point of liveness.
struct MemorySampleRecord {
  std::uint64_t position = 0; // the number of such steps before in this run
  Cycles cycle;               // start of its first active tile, but never before the cycle of an earlier sample
  std::uint32_t program = 0;
  Bytes bytes; // live at the step, with always-live bytes, over all tiles of one replica
};
/// The last execution of a loop or conditional in a run.
struct ControlFlowRecord {
  std::uint32_t program = 0;
  Cycles cycles;                      // cycles of the recording tile, from entry to exit
  std::optional<std::uint64_t> taken; // a loop: iterations; a conditional: the child taken, no value if no label
                                      // matched
};
/// The sources of vertices' cycles per compute set, vertex type and source, since the engine was loaded.
struct CycleSourceRecord {
  std::uint32_t computeSet = 0, vertexType = 0;
  std::string source;         // a value of vertex_types.cycle_provenance; "" = the cycles are unknown
  std::uint64_t vertices = 0; // maximum over executions
  std::string reason;         // why the cycles are unknown, or why the last known cycles are used
  /// Vertices without an estimate whose floating-point operations the stand-in counted in the last execution, and the
  /// sum of these operations.
  std::uint64_t flopVertices = 0, flops = 0;
};
/// A vertex or a copy of an executed compute set.
struct VertexRecord {
  std::uint32_t computeSet = 0, vertexType = 0, tile = 0;
  std::string operands;         // "in: a, out: b": fields and the variables connected to them
  std::optional<Cycles> cycles; // cycles of the vertex's last recorded execution; thread cycles for a worker
};
/// The parts of an execution that a device's instrumentation records. An IPU Model records everything.
enum class ComputeDetail : std::uint8_t { Nothing, Device, Ipu, Tile, Vertex };
struct RecordedDetail {
  ComputeDetail compute = ComputeDetail::Vertex;
  bool external = true;                // host copies and exchanges between IPUs
  bool controlFlow = true;             // loops and conditionals
  StepKindsMask kinds = kAllStepKinds; // other kinds have no time, whatever the fields above contain
  friend bool operator==(const RecordedDetail &, const RecordedDetail &) = default;
};

/// Receives a profile as it is produced. Order of calls: the compilation once; then, for each run, beginRun, step*,
/// endRun.
class ProfileSink {
public:
  virtual ~ProfileSink() = default;
  virtual void compilation(const CompilationRecord &record) = 0;
  virtual void beginRun(const RunRecord &record) = 0;
  virtual void step(const StepRecord &record) = 0;
  /// Receives the step `record`, shifted by `later`. Equal steps come with the same object, so that a sink can reuse
  /// what it made of the object before.
  virtual void stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) {
    step(laterBy(*record, later));
  }
  /// Is called between the last step and the end of a run.
  virtual void statistics(const std::vector<StepStatisticsRecord> &) {}
  /// Is called at any time after the compilation. Blocks of one tile come in ascending order of their begin.
  virtual void blocks(const std::vector<BlockRecord> &) {}
  /// Is called between runs.
  virtual void paused(const PausedRecord &) {}
  virtual void controlFlow(const std::vector<ControlFlowRecord> &) {}
  virtual void cycleSources(const std::vector<CycleSourceRecord> &) {}
  /// Is called between runs, with all vertices each time; never called if single vertices are not recorded.
  virtual void vertices(const std::vector<VertexRecord> &) {}
  /// Is called at any time within a run.
  virtual void executions(const ExecutionsRecord &) {}
  /// Is called at any time within a run, with samples in order.
  virtual void memorySamples(const std::vector<MemorySampleRecord> &) {}
  virtual void endRun(const RunTotals &totals, std::optional<double> endMicroseconds) = 0;
  /// Forgets all recorded runs.
  virtual void resetExecution() = 0;
};

} // namespace popscope
