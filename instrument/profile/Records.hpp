// The profile as plain records with units: what engine/collect and instrument/counters produce and what a ProfileSink
// (report/pop) stores. A value that is not known is std::nullopt, never 0. Per-tile vectors are indexed by global tile
// (ipu * tilesPerIpu + tile); an empty per-tile vector means "not known".
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
  std::string machine;     // all of it as JSON, see tileMachineToJson
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

/// Sparse per-tile values: sorted by tile, zero where absent. Plain numbers, as a file packs them: what they count says
/// the name of the list.
using TileValues = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// What goes from one IPU to another in a GlobalExchange, between two replicas too. Each of its tiles takes as long as
/// the slowest of those that it is in.
struct LinkTransferRecord {
  std::uint32_t fromIpu = 0, toIpu = 0; // over all replicas
  Bytes bytes;
  TileValues tiles; // 1 for each of one replica that sends or receives a part of it
  bool operator==(const LinkTransferRecord &) const = default;
};
/// From which tiles to which an exchange moves how much, in groups of neighbouring tiles: a message to several tiles
/// counts once for each. Empty where it was not recorded.
struct TrafficRecord {
  std::uint32_t tilesPerGroup = 1;                          // a power of two; group g = tiles [g * n, (g + 1) * n)
  std::vector<std::uint32_t> fromGroups, toGroups, bytes{}; // as long as each other; by sender, then receiver
  bool operator==(const TrafficRecord &) const = default;
};
/// The messages that a tile receives in an exchange, by size.
struct MessageSizesRecord {
  std::uint32_t buses = 1;                    // that carry them: of so many neighbours, which receive the same
  std::vector<std::uint32_t> bytes, messages; // how many of each size; ascending sizes
  auto operator<=>(const MessageSizesRecord &) const = default;
};

struct ProgramRecord { // id = position; equals the step index of the lowered program
  std::string type;    // pva Program.Type name: "DoExchange", "Switch", "OnTileExecute", "Sync", ...
  std::string name;
  std::int64_t parent = -1;                // program id; -1 = a root (control program or function body)
  bool isFunction = false;                 // root of a function body
  std::int64_t computeSet = -1;            // of OnTileExecute
  Bytes controlCodeEveryTile;              // own control code on every tile, children included
  std::uint64_t count = 0;                 // of a Repeat
  std::int64_t exchangeCodeOf = -1;        // program whose exchange code this one executes, too; -1 = its own, or none
  std::uint64_t debugContext = 0;          // id of the DebugInfo that it was made in; 0 = none
  std::vector<std::uint64_t> moreContexts; // of what was merged into it, in program order
  std::vector<std::string> barriers; // that all tiles pass one after the other: "internal", "external" or "global"
  bool livenessPoint = false;        // listed in livenessProgramSteps
};
/// What a program is on single tiles.
struct ProgramTilesRecord {
  TileValues controlCode;  // bytes beyond controlCodeEveryTile, children included
  TileValues exchangeCode; // DoExchange, GlobalExchange, StreamCopy*: code bytes
  TileValues bytesSent, bytesReceived, estimatedCycles;
  // What costing it again needs beside the above.
  TileValues counterCycles;              // reading counters, after its work
  TileValues counterStores;              // how many rounds of the workers are in them
  TileValues receiveDistance;            // DoExchange: in tiles, to the furthest sender
  TileValues messageSizes;               // DoExchange: CompilationRecord::messageSizes, counted from 1
  std::vector<LinkTransferRecord> links; // GlobalExchange
  TrafficRecord traffic;                 // DoExchange, GlobalExchange within a replica
  TileValues messagesReceived, receiveLatency, receiveTransfer, receiveControls; // DoExchange: see ExchangeTile
};
struct ComputeSetVertices {
  std::uint32_t vertexType = 0;
  TileValues countByTile;
  // Floating-point operations in one execution, as estimates of the program say.
  std::int64_t flopVertices = -1; // of how many the estimate is known; -1 = was not recorded
  std::int64_t flops = -1;        // of these; -1 = of none
  // Cycles in one execution that are known before anything runs: estimates of the program and copies of the runtime. On
  // a device nothing is known before it has run.
  std::int64_t estimatedVertices = -1; // of how many; -1 = was not recorded
  Cycles estimatedCycles;              // of these
};
/// What the vertices of one type in a compute set read and write through one field, or copies from and to.
struct VertexOperandRecord {
  std::uint32_t vertexType = 0;
  std::string field;       // "" = of an executable whose codelets are not known
  std::string elementType; // "float"; "" of copies, whose elements are bytes
  bool read = false, written = false;
  std::uint64_t edges = 0, elements = 0;             // over all these vertices; of a vector of vectors each inner one
  std::uint64_t leastElements = 0, mostElements = 0; // of one edge
  Bytes bytes;                                       // of the elements
};
struct ComputeSetRecord {
  std::string name;
  std::vector<ComputeSetVertices> vertices;
  TileValues estimatedCyclesByTile;            // empty = not estimated before the run
  std::vector<VertexOperandRecord> operands{}; // by vertex type, then field
};
struct VertexFieldRecord { // one line of a vertex's state on the tile, in declaration order
  std::string name;        // of the field; "" = padding
  std::string kind;        // "state", "edge" or "padding"
  Bytes offset, bytes;     // in the state
  Bytes bytesPerElement;   // outside of the state, for each element or inner vector; 0 = none
  std::string outside;     // storage category of those bytes
};
struct VertexTypeRecord {
  std::string name;
  Bytes stateBytes; // of one instance
  std::uint64_t instances = 0;
  Bytes memoryBytes; // "By Type" row: state + field data + descriptors of all instances + code once per tile
  std::vector<VertexFieldRecord> fields; // sum of their bytes = stateBytes; empty for copy vertices
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
  std::array<Bytes, kNumStorageCategories> usedBy{}; // addresses; those of several categories over time are "multiple"
  std::array<Bytes, 3> regionExcludingGaps{}, regionIncludingGaps{};
  Bytes totalExcludingGaps, totalIncludingGaps;
  Bytes afterOverlapping; // addresses occupied by overlapped allocations
  Bytes lowerBoundOverlapped;
  Bytes alwaysLiveBytes, maxNotAlwaysLiveBytes;
};
/// Tiles on which a variable is live at other steps than elsewhere: there a source is done with it sooner.
struct LivePartRecord {
  std::int64_t liveClass = -1; // index into livenessClasses
  Bytes bytes;
  TileValues bytesByTile;
};
struct LiveVariableRecord { // id = position
  NameId name;              // in CompilationRecord::variableNames
  Bytes bytes;              // over all tiles of one replica
  bool alwaysLive = false;
  std::int64_t liveClass = -1; // index into livenessClasses; -1 for pseudo-variables of code and system data
  StorageCategory category = StorageCategory::Variable;
  TileValues bytesByTile;
  std::vector<LivePartRecord> parts; // by class; of tiles that none of them has, liveClass tells
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
/// One way to sync. A tile's signal takes toController cycles; from the last arrival there it is fromController cycles
/// to the release of a tile. By tile of one replica.
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
  std::string poplarVersion; // ours, e.g. "3.4.0 (popscope 1.0.0)"
  TargetRecord target;
  GraphRecord graph;
  bool codeIncluded = true; // false: IPU Model without compileIPUCode
  std::vector<OptionRecord> options;
  std::vector<WarningRecord> warnings;
  std::vector<ProgramRecord> programs;
  std::vector<ProgramTilesRecord> programTiles; // by program; those behind its end have nothing on any tile
  std::vector<std::uint32_t> controlPrograms;   // root program ids in engine order (functions not included)
  std::vector<ComputeSetRecord> computeSets;
  std::vector<VertexTypeRecord> vertexTypes;
  std::vector<VertexOnTileRecord> verticesOnTile; // by tile, then type
  std::vector<TileMemoryRecord> tiles;
  std::vector<std::uint32_t> tilesOutOfMemory; // fullest first
  StringTable variableNames;                   // of the variables below, lowered or not
  std::vector<LiveVariableRecord> variables;   // pseudo-variables included
  std::vector<LivenessClassRecord> livenessClasses;
  std::vector<LivenessStepRecord> livenessSteps;       // programs with livenessPoint, in order
  Bytes alwaysLiveBytes, maxLiveBytes;                 // max includes always-live
  std::vector<LoweredVariableRecord> loweredVariables; // only with autoReport.outputLoweredVars
  std::vector<PassOptimisationRecord> optimisations;
  std::vector<SyncDelayRecord> syncDelays;
  std::vector<MachineCostRecord> machineCosts;
  std::vector<MessageSizesRecord> messageSizes;
  bool debugContexts = false; // programs know their DebugInfo
  AdviceRecord advice;        // only with autoReport.outputLivenessExplanation
};

/// A part of compiling, as the clocks of this process saw it. Kept apart from CompilationRecord, which is the same each
/// time.
struct CompilePhaseRecord {
  std::string name;
  std::int64_t parent = -1; // position of the phase that this is a part of; -1 = none
  double startMicroseconds = 0, wallMicroseconds = 0, cpuMicroseconds = 0; // CPU: of all threads of the process
  std::optional<Bytes> bytesBefore, bytesAfter;                            // of the process in memory
  std::optional<Bytes> peakBytes; // the most that the process ever had, when the phase ended
};

// ------------------------------------------------------------------ execution
/// Bits of kinds of steps, 1 << TimeKind.
using StepKindsMask = std::uint8_t;
inline constexpr StepKindsMask kAllStepKinds = 0x3F;
/// As options and files call them, in the order of TimeKind.
inline constexpr const char *kStepKindNames[] = {"compute", "exchange", "globalExchange",
                                                 "host",    "sync",     "controlFlow"};
struct RunRecord {
  std::string name;                                  // debug name given to Engine::run
  std::uint32_t program = 0;                         // index given to Engine::run
  double startMicroseconds = 0, endMicroseconds = 0; // host clock; equal for the IPU Model
  std::uint64_t number = 0;                          // how many calls of Engine::run came before it
  std::string label{};                               // of the popscope::profile::Scope in which it ran
  StepKindsMask kinds = kAllStepKinds;               // of steps whose time is recorded
};
struct VertexTypeCycles {
  std::uint32_t vertexType = 0;
  std::uint64_t instances = 0;
  std::optional<Cycles> cycles;
};
/// What was recorded of the time of a step on one IPU. Data and active tiles are known in any case: they are static.
enum class TimeDetail : std::uint8_t {
  Nothing,   // no time
  Duration,  // cycles and busyCycles, but not when
  Longest,   // cycles, entry of the first active tile, exit of the last one
  EveryTile, // all fields
};
struct StepOnIpu {
  Cycles cycles; // activeToMax - activeFromMin; 0 when no tile is active
  std::uint64_t activeTiles = 0;
  Cycles busyCycles; // sum over tiles of cycles in this step's work, idle threads included
  Cycles allFromMin, allFromMax, allToMin, allToMax;
  Cycles activeFromMin, activeFromMax, activeToMin, activeToMax;
  Bytes dataIn, dataOut;
  Bytes maxTileData; // largest (in + out) of one tile
  TimeDetail detail = TimeDetail::EveryTile;
};
struct StepRecord {          // one executed step
  std::uint32_t program = 0; // program id
  std::optional<Cycles>
      threadCycles; // OnTileExecute: sum over tiles of busy worker slots' cycles / workers (idle threads excluded)
  std::shared_ptr<const SlotCycles> slots; // OnTileExecute; null = not known
  std::vector<StepOnIpu> ipus;
  std::vector<std::uint32_t> cyclesByTile;   // busy cycles, 0 = not involved; empty for Sync
  std::vector<VertexTypeCycles> vertexTypes; // OnTileExecute, descending cycles
};
/// The same some cycles later. Where no tile is active there is no time of active tiles that could be later.
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
/// Sums over tiles of one run, in tile cycles (threadCycles as in StepRecord). On every tile
/// compute + exchange + globalExchange + hostExchange + sync + unattributed = total.
struct RunTotals {
  Cycles totalCycles;                 // of the run, not summed over tiles
  Cycles compute;                     // idle threads included
  std::optional<Cycles> threadCycles; // idle threads excluded
  Cycles exchange, globalExchange, hostExchange, sharedStructureCopy, sync, unattributed;
  // The named causes that unattributed is the sum of: reading counters of compute and external exchange, and of control
  // flow.
  Cycles counterReads, controlFlowReads;
  bool computeKnown = true;  // false: compute is not recorded for all tiles; sync is not known either
  bool externalKnown = true; // the same for globalExchange and hostExchange
};
/// How often the machine really executed a program in a run, and how long that took: slowest tile's cycles of work. The
/// simulator knows this whatever the instrumentation records.
struct StepStatisticsRecord {
  std::uint32_t program = 0;
  std::uint64_t executions = 0;
  Cycles minCycles, maxCycles, sumCycles; // the mean is sumCycles / executions
};
/// A block of lightweight profiling. Cycles of the tile's own counter, which counts on from run to run.
struct BlockRecord {
  enum class Kind : std::uint8_t { Common, StreamCopy, BlockFlush, Overflow }; // Overflow: records were lost meanwhile
  std::uint32_t tile = 0, program = 0; // of an Overflow: the first program whose record was lost
  Kind kind = Kind::Common;
  Cycles from;
  std::optional<Cycles> to; // nothing: the run stopped before
  std::uint64_t run = 0;    // number of the call of Engine::run, from 0
};
/// Calls of Engine::run that were not recorded, one after the other.
struct PausedRecord {
  std::uint64_t firstRun = 0, runs = 0;
  std::string reason;           // see pva::PausedSpan
  std::optional<Cycles> cycles; // nothing: no time was kept
};
/// Every execution of one program in a run, in order, or a part of them. Of the simulator, as the statistics.
struct ExecutionsRecord {
  std::uint32_t program = 0;
  std::uint64_t first = 0; // how many came before these
  // When the first active tile starts to work, cycles since the start of the run. Those of one record are less than
  // 2^32 apart. Plain numbers, as a file packs them.
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t>
      cycles; // slowest tile's cycles of work; the largest number where they are more than 32 bits hold
};
/// Live memory in the middle of a run: at every n-th step that has a point of liveness.
struct MemorySampleRecord {
  std::uint64_t position = 0; // how many such steps came before in this run
  Cycles cycle;               // when its first active tile starts, never before that of an earlier sample
  std::uint32_t program = 0;
  Bytes bytes; // live at the step, always-live included, over all tiles of one replica
};
/// The last execution of a loop or conditional in a run.
struct ControlFlowRecord {
  std::uint32_t program = 0;
  Cycles cycles;                      // of the recording tile, from its entry to its exit
  std::optional<std::uint64_t> taken; // a loop: iterations; a conditional: the child taken, none where no label fitted
};
/// Where the cycles of vertices came from, for each compute set, vertex type and source, since the engine was loaded.
struct CycleSourceRecord {
  std::uint32_t computeSet = 0, vertexType = 0;
  std::string source;         // as vertex_types.cycle_provenance; "" = the cycles are not known
  std::uint64_t vertices = 0; // the most in one execution
  std::string reason;         // why they are not known, or why they are the last known ones
  /// Of the last execution: of how many of these vertices the stand-in counted the floating-point operations, which no
  /// estimate says, and their sum.
  std::uint64_t flopVertices = 0, flops = 0;
};
/// A vertex of an executed compute set, or a copy.
struct VertexRecord {
  std::uint32_t computeSet = 0, vertexType = 0, tile = 0;
  std::string operands;         // "in: a, out: b": fields and the variables that they are connected to
  std::optional<Cycles> cycles; // of its last recorded execution; thread cycles of workers
};
/// What the instrumentation of a device records. An IPU Model records everything.
enum class ComputeDetail : std::uint8_t { Nothing, Device, Ipu, Tile, Vertex };
struct RecordedDetail {
  ComputeDetail compute = ComputeDetail::Vertex;
  bool external = true;                // host copies and exchanges between IPUs
  bool controlFlow = true;             // loops and conditionals
  StepKindsMask kinds = kAllStepKinds; // others have no time, whatever the above says
  friend bool operator==(const RecordedDetail &, const RecordedDetail &) = default;
};

/// Receives a profile while it comes into being. Call order: compilation once, then beginRun, step*, endRun per run.
class ProfileSink {
public:
  virtual ~ProfileSink() = default;
  virtual void compilation(const CompilationRecord &record) = 0;
  virtual void beginRun(const RunRecord &record) = 0;
  virtual void step(const StepRecord &record) = 0;
  /// A step that is `record`, `later` by so much. Steps that are alike come with the same object, so that what was
  /// made of it serves again.
  virtual void stepAgain(const std::shared_ptr<const StepRecord> &record, Cycles later) {
    step(laterBy(*record, later));
  }
  /// Between the last step and the end of a run.
  virtual void statistics(const std::vector<StepStatisticsRecord> &) {}
  /// Any time after the compilation; those of one tile in ascending order of their begin.
  virtual void blocks(const std::vector<BlockRecord> &) {}
  /// Between runs.
  virtual void paused(const PausedRecord &) {}
  virtual void controlFlow(const std::vector<ControlFlowRecord> &) {}
  virtual void cycleSources(const std::vector<CycleSourceRecord> &) {}
  /// Between runs, all of them each time; none at all where single vertices are not recorded.
  virtual void vertices(const std::vector<VertexRecord> &) {}
  /// At any time within a run.
  virtual void executions(const ExecutionsRecord &) {}
  /// At any time within a run, in their order.
  virtual void memorySamples(const std::vector<MemorySampleRecord> &) {}
  virtual void endRun(const RunTotals &totals, double endMicroseconds) = 0;
  /// Forgets all recorded runs.
  virtual void resetExecution() = 0;
};

} // namespace popscope
