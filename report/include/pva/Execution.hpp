// The execution part of a report. <pva/pva.hpp> includes this header. Times are in cycles of the tile clock, and data
// is in bytes, unless a comment states something else. In a step and in its worker slots, a list per tile has one
// number for each tile of one replica. In a compute set, a list per tile has one number for each tile of the target,
// but only the numbers of the first replica describe the compute set.
#ifndef PVA_EXECUTION_HPP
#define PVA_EXECUTION_HPP

#include <pva/Liveness.hpp>

namespace pva {

/// Extension: floating-point operations of some vertices, for one execution of each vertex. The numbers come from the
/// program's estimates (Graph::setPerfEstimate, registerPerfEstimator). For a vertex without an estimate of operations,
/// the number comes from the last count of the stand-in (docs/GLOSSARY.md, "Substitute instruction set"). If a vertex
/// has an estimate of cycles, the stand-in counts the vertex only in the first execution of its compute set.
struct Flops {
  Flops()
      : recorded(false), vertices(0), estimatedVertices(0), countedVertices(0), operations(0), countedOperations(0) {}
  bool recorded;          // false: the profile does not contain operations
  std::uint64_t vertices; // number of all vertices
  /// Number of vertices with an estimate of operations, including copy vertices, which have 0 operations.
  std::uint64_t estimatedVertices;
  std::uint64_t countedVertices;   // Number of vertices without an estimate whose operations were counted.
  std::uint64_t operations;        // Operations of the estimated and the counted vertices: a lower bound for all
                                   // vertices.
  std::uint64_t countedOperations; // The part of `operations` that comes from counts.
  /// Returns true if `operations` is a known number: either the lower bound is not 0, or the operations of all vertices
  /// are known.
  bool known() const { return recorded && (operations != 0 || complete()); }
  /// Returns whether the operations of all vertices are known.
  bool complete() const { return recorded && vertices == estimatedVertices + countedVertices; }
  /// Adds the operations of another set of vertices. Adding a set without vertices changes nothing.
  Flops &operator+=(const Flops &other);
};

class VertexInstances {
public:
  VertexInstances() {}
  VertexInstances(VertexType type, Values countByTile, Flops flops)
      : type_(type), countByTile_(countByTile), flops_(flops) {}
  VertexType type() const { return type_; }
  Values countByTile() const { return countByTile_; }
  /// Extension: returns the operations of these vertices.
  Flops flops() const { return flops_; }

private:
  VertexType type_;
  Values countByTile_;
  Flops flops_;
};

/// Extension: a source from which vertices of one type in a compute set get their cycles. The source "" means that the
/// cycles are unknown. The other sources, from the most direct to the least direct, are:
///   "estimate"    setPerfEstimate
///   "estimator"   an estimator that the program registered
///   "codelet"     getCycleEstimate of the codelet
///   "stand-in"    counted instructions
///   "last known"  an earlier count for the same vertex, or for a vertex of the same type and operand sizes
///   "runtime"     the costs of copy vertices
struct CycleSource {
  CycleSource() : vertices(0) {}
  VertexType type;
  std::string source;
  std::uint64_t vertices; // Maximum number of vertices with this source in one execution.
  /// For the sources "" and "last known": the reason why a more direct source does not apply. For the sources
  /// "estimate", "estimator" and "codelet" on an IPU device: the reason why the stand-in did not count the vertices. ""
  /// in all other cases.
  std::string reason;
};

/// Extension: the accesses of a compute set through one field of one vertex type.
struct VertexOperand {
  VertexOperand() : read(false), written(false), edges(0), elements(0), leastElements(0), mostElements(0), bytes(0) {}
  VertexType type;
  std::string field;       // name of the field; "from" or "to" for a copy; "" if unknown
  std::string elementType; // such as "float"; "" for copies, whose elements are bytes, and for edges without elements
  bool read, written;
  std::uint64_t edges, elements; // sums over the vertices; each inner vector of a vector of vectors is an edge
  std::uint64_t leastElements, mostElements; // minimum and maximum number of elements of an edge
  std::uint64_t bytes;                       // bytes of the connected elements; an element counts once per edge
};

class ComputeSet {
public:
  ComputeSet() : id_(0) {}
  ComputeSet(detail::Owner model, std::size_t id) : model_(model), id_(id) {}
  std::size_t _id() const { return id_; }
  std::string name() const;
  List<VertexInstances> vertices() const;
  /// Returns the cycles per tile in one execution, if the cycles of all vertices are known before the vertices run. If
  /// the cycles of a vertex are not known in advance, returns an empty list. On a device, which measures cycles, the
  /// list is always empty.
  Values estimatedCyclesByTile() const;
  /// Extension: returns the accesses, sorted by vertex type, then field.
  std::vector<VertexOperand> operands() const;
  /// Extension: returns the operations of all vertices of the compute set.
  Flops flops() const;
  /// Extension: returns the sources of cycles in the recorded runs, sorted by vertex type, then source. The list is
  /// empty before the first run.
  List<CycleSource> cycleSources() const;
  friend bool operator==(const ComputeSet &a, const ComputeSet &b) { return a.id_ == b.id_ && a.model_ == b.model_; }
  friend bool operator!=(const ComputeSet &a, const ComputeSet &b) { return !(a == b); }

private:
  detail::Owner model_;
  std::size_t id_;
};

/// Extension: floating-point operations of the vertices of one type in a compute set.
struct VertexTypeFlops {
  ComputeSet computeSet;
  VertexType type;
  Flops flops;
};

class CycleLimits {
public:
  CycleLimits() : min_(0), max_(0) {}
  CycleLimits(std::uint64_t min, std::uint64_t max) : min_(min), max_(max) {}
  std::uint64_t min() const { return min_; }
  std::uint64_t max() const { return max_; }

private:
  std::uint64_t min_, max_;
};

class CycleRange {
public:
  CycleRange() {}
  CycleRange(CycleLimits from, CycleLimits to) : from_(from), to_(to) {}
  /// from() returns the times at which the first and the last tile enter the step. to() returns the times at which the
  /// first and the last tile leave the step. These times are cycles since the start of the run.
  CycleLimits from() const { return from_; }
  CycleLimits to() const { return to_; }

private:
  CycleLimits from_, to_;
};

/// The part of a step on one IPU. A balance is between 0 and 1. The tile balances are 0 if no tile works, or if
/// cycles() or busyCycles() was not recorded. The data balance is 0 if no tile sends or receives data.
class ExecutionStepIpu {
public:
  ExecutionStepIpu()
      : cycles_(0), activeTiles_(0), busyCycles_(0), dataIn_(0), dataOut_(0), maxTileData_(0), tiles_(0),
        cyclesKnown_(true), busyCyclesKnown_(true), timeKnown_(true) {}
  ExecutionStepIpu(std::uint64_t cycles, std::uint64_t activeTiles, std::uint64_t busyCycles, CycleRange all,
                   CycleRange active, std::uint64_t dataIn, std::uint64_t dataOut, std::uint64_t maxTileData,
                   std::uint64_t tiles, bool cyclesKnown = true, bool busyCyclesKnown = true, bool timeKnown = true)
      : cycles_(cycles), activeTiles_(activeTiles), busyCycles_(busyCycles), all_(all), active_(active),
        dataIn_(dataIn), dataOut_(dataOut), maxTileData_(maxTileData), tiles_(tiles), cyclesKnown_(cyclesKnown),
        busyCyclesKnown_(busyCyclesKnown), timeKnown_(timeKnown) {}
  std::uint64_t cycles() const { return cycles_; }
  CycleRange allCycles() const { return all_; }
  CycleRange activeCycles() const { return active_; }
  std::uint64_t activeTiles() const { return activeTiles_; }
  double tileBalance() const { return ratio(busyCycles_, tiles_ * cycles_); }
  double activeTileBalance() const { return ratio(busyCycles_, activeTiles_ * cycles_); }
  double dataBalance() const { return ratio(dataIn_ + dataOut_, tiles_ * maxTileData_); }
  std::uint64_t dataIn() const { return dataIn_; }
  std::uint64_t dataOut() const { return dataOut_; }
  /// Extension: returns the cycles in which tiles work on the step, summed over tiles.
  std::uint64_t busyCycles() const { return busyCycles_; }
  /// Extension: returns the largest number of bytes that one tile sends and receives together.
  std::uint64_t maxTileData() const { return maxTileData_; }
  /// Extension: returns the number of tiles of the IPU.
  std::uint64_t tiles() const { return tiles_; }
  // Extensions that return whether a figure was recorded. The instrumentation of a device determines which figures are
  // recorded. No time of a step is recorded if the cycles of some vertices of the step are unknown. A figure that was
  // not recorded is 0.
  /// Returns whether cycles() was recorded.
  bool cyclesKnown() const { return cyclesKnown_; }
  /// Returns whether busyCycles() was recorded. Both tile balances need busyCycles().
  bool busyCyclesKnown() const { return busyCyclesKnown_; }
  /// Returns whether times of allCycles() and activeCycles() were recorded. If busyCyclesKnown() is also true, all of
  /// these times were recorded. If timeKnown() is true but busyCyclesKnown() is false, only the times of three events
  /// were recorded, and all other times are 0. The three events are: the first active tile enters the step, the slowest
  /// tile ends its work, and the last tile leaves the step.
  bool timeKnown() const { return timeKnown_; }

private:
  static double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
  std::uint64_t cycles_, activeTiles_, busyCycles_;
  CycleRange all_, active_;
  std::uint64_t dataIn_, dataOut_, maxTileData_, tiles_;
  bool cyclesKnown_, busyCyclesKnown_, timeKnown_;
};

/// A compute set that a step executes.
class ExecutionComputeSet {
public:
  ExecutionComputeSet() {}
  ExecutionComputeSet(ComputeSet computeSet, Values cyclesByTile) : computeSet_(computeSet), cycles_(cyclesByTile) {}
  std::string name() const { return computeSet_.name(); }
  List<VertexInstances> vertices() const { return computeSet_.vertices(); }
  Values cyclesByTile() const { return cycles_; }
  Values estimatedCyclesByTile() const { return computeSet_.estimatedCyclesByTile(); }

private:
  ComputeSet computeSet_;
  Values cycles_;
};

/// Extension: the cycles of the vertices of one type in a step, in a run or in all runs. For worker vertices, these are
/// thread cycles (see DealtRun); for supervisor vertices, tile cycles.
struct VertexTypeCycles {
  VertexTypeCycles() : instances(0), known(false), cycles(0) {}
  VertexType type;
  std::uint64_t instances;
  bool known; // false: cycles are unknown
  std::uint64_t cycles;
};

/// Extension: consecutive vertices with equal cycles. The order is that in which the vertices were assigned to the
/// worker slots. A thread cycle is one issue slot of a worker, and takes as many tile cycles as the tile has worker
/// slots.
struct DealtRun {
  DealtRun() : threadCycles(0), vertices(0) {}
  std::uint64_t threadCycles; // thread cycles of one vertex
  std::uint64_t vertices;
};
/// Extension: the worker vertices of tiles that have more vertices than slots, in the order in which the vertices were
/// assigned to the slots. Each vertex goes to the least loaded slot. On other tiles, vertex i is alone in slot i.
/// Vertices that take no time are left out. A pattern contains the vertices of a tile; tiles with equal lists of
/// vertices share one pattern.
struct DealtVertices {
  Values patternByTile; // Per tile: index into `patterns` plus 1; 0 means that the tile has no pattern. The list is
                        // empty if no tile has a pattern.
  std::vector<std::vector<DealtRun>> patterns;
};

/// Extension: the load of each tile's worker slots in a step with a compute set. On each tile:
///   cyclesByTile = count * (maximum of threadCyclesByTile over slots) + supervisorCyclesByTile
class WorkerSlots {
public:
  WorkerSlots() : known_(false), id_(0) {}
  WorkerSlots(detail::Owner model, std::uint64_t id) : model_(model), known_(true), id_(id) {}
  /// Returns false if the step has no compute set, or if the slots were not recorded. Unknown slots have a count() of
  /// 0.
  bool known() const { return known_; }
  /// Returns the id of known slots. Steps whose slots have the same id have equal slots. For unknown slots, returns 0,
  /// which is also the id of some known slots.
  std::uint64_t _id() const { return id_; }
  /// Returns the number of worker slots that each tile has.
  std::size_t count() const;
  /// Returns the thread cycles of one slot on each tile. Throws std::out_of_range if tiles do not have this slot.
  Values threadCyclesByTile(std::size_t slot) const;
  /// Returns the tile cycles of the supervisor vertices on each tile, or an empty list if these cycles are unknown.
  Values supervisorCyclesByTile() const;
  DealtVertices dealtVertices() const;

private:
  detail::Owner model_;
  bool known_;
  std::uint64_t id_;
};

class ExecutionStep {
public:
  ExecutionStep() : id_(0), program_(0), computeSet_(-1), threadCyclesKnown_(false), threadCycles_(0) {}
  ExecutionStep(detail::Owner model, std::uint64_t id, std::uint32_t program, std::int64_t computeSet,
                bool threadCyclesKnown, std::uint64_t threadCycles)
      : model_(model), id_(id), program_(program), computeSet_(computeSet), threadCyclesKnown_(threadCyclesKnown),
        threadCycles_(threadCycles) {}
  std::shared_ptr<Program> program() const;
  List<ExecutionStepIpu> ipus() const;
  List<ExecutionComputeSet> computeSets() const;
  /// Returns the cycles on each tile. A tile that does not take part has 0. Returns an empty list for a step that is
  /// only a barrier, such as a Sync or a StreamCopyBegin, or if the cycles are unknown.
  Values cyclesByTile() const;
  /// Extension: returns the cycles by vertex type. The type with the most cycles is first.
  List<VertexTypeCycles> vertexTypes() const;
  /// Extension: returns whether threadCycles() is known.
  bool threadCyclesKnown() const { return threadCyclesKnown_; }
  /// Extension: returns the tile cycles in which worker slots are busy, averaged over the slots of a tile and summed
  /// over tiles. Idle threads do not count.
  std::uint64_t threadCycles() const { return threadCycles_; }
  WorkerSlots workerSlots() const;

private:
  detail::Owner model_;
  std::uint64_t id_;
  std::uint32_t program_;
  std::int64_t computeSet_;
  bool threadCyclesKnown_;
  std::uint64_t threadCycles_;
};

class Microseconds {
public:
  Microseconds() : start_(0), end_(0) {}
  Microseconds(double start, double end) : start_(start), end_(end) {}
  double start() const { return start_; }
  double end() const { return end_; }

private:
  double start_, end_;
};

/// Cycles of one run, or of all recorded runs that ended. total() is elapsed time. The other figures are extensions:
/// sums over tiles.
class CycleTotals {
public:
  CycleTotals()
      : total_(0), compute_(0), thread_(0), exchange_(0), globalExchange_(0), hostExchange_(0), sharedStructureCopy_(0),
        sync_(0), unattributed_(0), counterReads_(0), controlFlowReads_(0), known_(false), totalKnown_(true),
        threadKnown_(true), computeKnown_(true), externalKnown_(true) {}
  /// Returns the elapsed cycles, or 0 if the elapsed cycles are unknown.
  std::uint64_t total() const { return total_; }
  /// Extension: returns whether a run ended. If no run ended, for example because every recorded run was cut short, all
  /// figures are unknown and 0.
  bool known() const { return known_; }
  /// Extension: returns whether total() is known. total() is unknown if no run ended, or if the cycles of some executed
  /// vertices are unknown.
  bool totalKnown() const { return known_ && totalKnown_; }
  std::uint64_t compute() const { return compute_; } // includes the cycles of idle threads
  /// These four functions return false if no run ended, or if the device's instrumentation did not record the figure.
  /// Except for externalExchangeKnown(), the functions also return false if the cycles of some executed vertices are
  /// unknown. An unknown figure is 0. If a figure is unknown in one of several ended runs, the sum over the runs is
  /// unknown. sync() is known if compute(), globalExchange() and hostExchange() are known.
  bool computeKnown() const { return known_ && computeKnown_; }
  bool externalExchangeKnown() const { return known_ && externalKnown_; } // for globalExchange() and hostExchange()
  bool syncKnown() const { return computeKnown() && externalExchangeKnown(); }
  bool computeWithoutIdleKnown() const { return known_ && threadKnown_; }
  std::uint64_t computeWithoutIdle() const { return thread_; }
  std::uint64_t exchange() const { return exchange_; }
  std::uint64_t globalExchange() const { return globalExchange_; }
  std::uint64_t hostExchange() const { return hostExchange_; }
  std::uint64_t sharedStructureCopy() const { return sharedStructureCopy_; }
  std::uint64_t sync() const { return sync_; }
  std::uint64_t unattributed() const { return unattributed_; }
  /// Returns the cycles of reading the counters of compute and external exchange, including the cycles of recording
  /// blocks. counterReads() and controlFlowReads() add up to the unattributed cycles.
  std::uint64_t counterReads() const { return counterReads_; }
  /// Returns the cycles of reading the counters of control flow.
  std::uint64_t controlFlowReads() const { return controlFlowReads_; }

private:
  friend class ExecutionReport;
  friend class Run;
  void add(const CycleTotals &other);
  static CycleTotals ofRun(const detail::Model &model, std::size_t run);
  std::uint64_t total_, compute_, thread_, exchange_, globalExchange_, hostExchange_, sharedStructureCopy_, sync_,
      unattributed_, counterReads_, controlFlowReads_;
  bool known_, totalKnown_, threadKnown_, computeKnown_, externalKnown_;
};

/// Extension: the last execution of a loop or conditional in a run.
struct ControlFlow {
  ControlFlow() : cycles(0), takenKnown(false), taken(0) {}
  std::shared_ptr<Program> program;
  std::uint64_t cycles; // Cycles from entry to exit, on the tile that records control flow (debug.branchRecordTile).
  bool takenKnown;      // False if a Switch executed no child.
  std::uint64_t taken;  // for a loop: number of iterations; for a conditional: position of the executed child
};

/// Extension, which only the simulator records: all executions of one program in a run, in the order of time.
struct ProgramExecutions {
  std::shared_ptr<Program> program;
  Values starts; // for each execution: start of the first active tile's work, in cycles since the start of the run
  Values cycles; // for each execution: cycles of the slowest tile's work
};

/// Extension, which only the simulator records: live memory at one moment of a run.
struct MemorySample {
  MemorySample() : position(0), cycle(0), bytes(0) {}
  std::shared_ptr<Program> program;
  std::uint64_t position; // number of liveness steps (docs/GLOSSARY.md) that the run executed earlier; loops,
                          // conditionals and recorded blocks do not count
  std::uint64_t cycle;    // when the first active tile starts the step of the sample, in cycles since the start of
                          // the run; at least the `cycle` of the previous sample
  std::uint64_t bytes;    // live bytes over all tiles of one replica, including always-live bytes
};

class Run {
public:
  Run() : run_(0) {}
  Run(detail::Owner model, std::size_t run) : model_(model), run_(run) {}
  std::string name() const;
  List<ExecutionStep> steps() const;
  Microseconds microseconds() const;
  /// Extension: returns the index that was passed to Engine::run.
  std::uint64_t program() const;
  /// Extension: returns the cycles of this run.
  CycleTotals totalCycles() const;
  /// Extension: returns whether the run is complete. A run that was cut short, or that is still running, is incomplete.
  bool complete() const;
  /// Extension: returns whether number() is known.
  bool numberKnown() const;
  /// Extension: returns the number of earlier calls of Engine::run, or 0 if this number is unknown.
  std::uint64_t number() const;
  /// Extension: returns the label of the popscope::profile::Scope that was open during the run, or "" if there is no
  /// label.
  std::string label() const;
  /// Extension: returns the loops and conditionals, sorted by program. The list is empty if the device does not record
  /// control flow.
  List<ControlFlow> controlFlow() const;
  /// Extension: returns all executions, sorted by program. The list is empty without popscope.recordEveryExecution.
  List<ProgramExecutions> executions() const;
  /// Extension: returns the samples of memory, in the order of time. The list is empty without popscope.sampleMemory.
  List<MemorySample> memorySamples() const;
  /// Extension: returns the categories of steps whose time is recorded. By default, these are all categories: compute,
  /// exchange, globalExchange, host, sync and controlFlow. popscope.profileCategories or a popscope::profile::Scope can
  /// select fewer categories.
  std::vector<std::string> categories() const;
  /// Extension: returns cycles by vertex type as ExecutionReport::lastVertexTypes does, but only for the vertices that
  /// this run executed.
  List<VertexTypeCycles> lastVertexTypes() const;

private:
  detail::Owner model_;
  std::size_t run_;
};

/// A block of lightweight profiling. cyclesFrom() and cyclesTo() are values of the tile's cycle counter, which does not
/// restart with a run.
class Block {
public:
  /// The kind of a block. Common: a Block of the program. StreamCopy: a phase of a host copy. BlockFlush: a phase of a
  /// copy that empties the buffer of blocks. Overflow: a period in which blocks were lost because the buffer was full.
  enum class Kind { Common, StreamCopy, BlockFlush, Overflow };
  Block() : tile_(0), kind_(Kind::Common), from_(0), to_(0), closed_(false), run_(0) {}
  Block(std::shared_ptr<Program> program, std::size_t tile, Kind kind, std::uint64_t from, std::uint64_t to,
        bool closed, std::uint64_t run)
      : program_(program), tile_(tile), kind_(kind), from_(from), to_(to), closed_(closed), run_(run) {}
  /// Returns the program: a Block, or a phase of a copy. For an Overflow, returns the program of the first lost block.
  std::shared_ptr<Program> program() const { return program_; }
  std::uint64_t cyclesFrom() const { return from_; }
  /// Returns the end in cycles, or cyclesFrom() if the block is not closed.
  std::uint64_t cyclesTo() const { return to_; }
  std::size_t tile() const { return tile_; }
  bool isCommon() const { return kind_ == Kind::Common; }
  bool isOverflow() const { return kind_ == Kind::Overflow; }
  bool isBlockFlush() const { return kind_ == Kind::BlockFlush; }
  bool isStreamCopy() const { return kind_ == Kind::StreamCopy; }
  /// Extension: returns whether the block is closed. A block is not closed if the run stopped before the block's end.
  bool isClosed() const { return closed_; }
  /// Extension: returns the number of calls of Engine::run before the block's run, including unrecorded runs.
  std::uint64_t runNumber() const { return run_; }

private:
  std::shared_ptr<Program> program_;
  std::size_t tile_;
  Kind kind_;
  std::uint64_t from_, to_;
  bool closed_;
  std::uint64_t run_;
};

/// Extension: consecutive calls of Engine::run that were not recorded.
struct PausedSpan {
  PausedSpan() : firstRun(0), runs(0), cyclesKnown(false), cycles(0) {}
  std::uint64_t firstRun; // number of the first of these calls, as in Run::number()
  std::uint64_t runs;
  std::string
      reason;       // "run count", "sample rate", "profileRuns", "profileNames", "profileSeconds", "disabled", "scope"
                    // or "paused"
  bool cyclesKnown; // false: the time was not measured, and cycles is 0
  std::uint64_t cycles;
};

/// Extension: an executed vertex of a compute set: a vertex of the program, or a copy vertex.
struct VertexExecution {
  VertexExecution() : tile(0), known(false), cycles(0) {}
  ComputeSet computeSet;
  VertexType type;
  std::size_t tile;
  std::string operands; // "in: a, out: b": fields and the variables connected to them
  bool known;           // false: cycles are unknown
  std::uint64_t cycles; // Cycles of the vertex's last recorded execution; for a worker vertex, thread cycles.
};

class ExecutionReport {
public:
  ExecutionReport() : recorded_(false) {}
  /// Makes a report. If `recorded` is false, the report contains no execution, even if the profile does.
  ExecutionReport(detail::Owner model, bool recorded) : model_(model), recorded_(recorded) {}
  List<ExecutionStep> steps() const;
  List<Run> runs() const;
  /// Returns the sum over the recorded runs that ended.
  CycleTotals totalCycles() const;
  /// Returns the blocks of lightweight profiling on a tile, sorted by start. An outer block comes before the blocks
  /// within it. The list is empty if no blocks were recorded on the tile. Throws std::out_of_range for a tile that the
  /// target does not have.
  List<Block> blocks(std::size_t tile) const;
  /// Extension: returns cyclesByTile()[tile] of each step, in the order of steps(). Reads the steps in one pass. A step
  /// without cycles has 0. Returns an empty list for a tile outside the first replica. Throws as blocks() does.
  Values cyclesOfTile(std::size_t tile) const;
  /// Extension: returns the spans of unrecorded calls of Engine::run, in the order of time.
  List<PausedSpan> pausedSpans() const;
  /// Extension: returns cycles by vertex type, summed over all executions in the complete runs or, if no run is
  /// complete, in all recorded runs. `cycles` leaves out executions in which the cycles of the type are unknown.
  List<VertexTypeCycles> vertexTypes() const;
  /// Extension: returns cycles by vertex type. Each vertex counts once: with the cycles of its last recorded execution,
  /// or with its estimate if no execution was recorded. `instances` is the number of counted vertices; a type without
  /// counted vertices has no entry. If the cycles of one executed vertex are unknown, no vertex of its type in its
  /// compute set counts. printProfileSummary shows these numbers.
  List<VertexTypeCycles> lastVertexTypes() const;
  /// Extension: returns single vertices, sorted by compute set. The list has vertices only if
  /// debug.computeInstrumentationLevel is "vertex". On an IPU device, debug.instrumentCompute must also be set.
  List<VertexExecution> vertices() const;

private:
  detail::Owner model_;
  bool recorded_;
};

} // namespace pva
#endif
