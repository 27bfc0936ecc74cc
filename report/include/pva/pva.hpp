// Reads all data about a compiled graph and its runs from a .pop profile or from a running engine (profile analysis).
// "Extension" marks members that Poplar's profile analysis library does not have.
//
//   pva::Report report = pva::openReport("profile.pop");
//   for (const auto &tile : report.compilation().tiles())
//     peak = std::max(peak, tile.memory().total().excludingGaps());
//
// Most objects are handles: a handle is cheap to copy and keeps the profile open. A handle reads data on request, so
// any accessor of a handle throws std::runtime_error if the requested data is corrupt. Reading is thread-safe. A
// default-constructed handle refers to no profile. Call the functions of such a handle only if the comment of the class
// describes a default-constructed object.
#ifndef PVA_PVA_HPP
#define PVA_PVA_HPP

#include <pva/Advice.hpp>
#include <pva/Execution.hpp>
#include <pva/Operations.hpp>
#include <pva/Trace.hpp>

#include <functional>
#include <iomanip> // programs that print their results rely on it

namespace pva {

class IPU {
public:
  enum class Architecture { Ipu1, Ipu2, Ipu21, Cpu, Unknown };
  IPU() : ipu_(0) {}
  IPU(detail::Owner model, std::size_t ipu) : model_(model), ipu_(ipu) {}
  List<Tile> tiles() const;

private:
  detail::Owner model_;
  std::size_t ipu_;
};

/// Extension: one kind of sync: "internal" (within an IPU), "external" (with the host), "global" (between IPUs), "host
/// request" or "host answer". The last two kinds exist only if host copies wait for the host, for example on a device.
/// toControllerByTile() returns the cycles that a tile's signal takes to reach the sync controller.
/// fromControllerByTile() returns the cycles from the arrival of the last signal at the controller to the release of
/// the tile. Both lists have one value per tile of one replica.
class SyncDelay {
public:
  SyncDelay() : acrossIpus_(false) {}
  SyncDelay(const std::string &kind, bool acrossIpus, Values toController, Values fromController)
      : kind_(kind), acrossIpus_(acrossIpus), to_(toController), from_(fromController) {}
  std::string kind() const { return kind_; }
  /// Returns true if all tiles wait for each other, and false if a tile waits only for the other tiles of its IPU.
  bool acrossIpus() const { return acrossIpus_; }
  Values toControllerByTile() const { return to_; }
  Values fromControllerByTile() const { return from_; }

private:
  std::string kind_;
  bool acrossIpus_;
  Values to_, from_;
};

/// The machine. Sizes are in bytes. Counts are over all IPUs and replicas unless the name of the getter states
/// something else.
class Target {
public:
  enum class Type { Ipu, IpuModel, Cpu, Unknown };
  Target() {}
  explicit Target(detail::Owner model) : model_(model) {}
  Type type() const;
  IPU::Architecture architecture() const;
  std::uint64_t numIPUs() const;
  std::uint64_t tilesPerIpu() const;
  std::uint64_t numTiles() const;
  std::uint64_t numReplicas() const;
  std::uint64_t ipusPerReplica() const;
  std::uint64_t tilesPerReplica() const;
  std::uint64_t memoryPerReplica() const;
  std::uint64_t bytesPerTile() const;
  std::uint64_t bytesPerIPU() const;
  std::uint64_t totalMemory() const;
  /// Returns the tile clock in Hz.
  double clockFrequency() const;
  /// Extension: returns the name of the architecture.
  std::string architectureName() const;
  std::uint64_t workerContexts() const;    // per tile
  std::uint64_t interleavedOffset() const; // in bytes; 0 if the machine has no interleaved region
  /// Returns all fields of the machine as JSON (docs/MACHINES.md).
  std::string machine() const;
  /// Extension: returns the delays of each kind of sync.
  List<SyncDelay> syncDelays() const;
  /// Returns the smallest release delay (SyncDelay::fromControllerByTile) of a sync within an IPU, or 0 if this delay
  /// is unknown.
  std::uint64_t minSyncDelay() const;
  /// Returns, per tile of one replica, the release delay of a sync within an IPU minus minSyncDelay(). The list is
  /// empty if the release delays are unknown.
  Values relativeSyncDelayByTile() const;

private:
  detail::Owner model_;
};

class Graph {
public:
  Graph() {}
  explicit Graph(detail::Owner model) : model_(model) {}
  std::uint64_t numComputeSets() const;
  std::uint64_t numVertices() const;
  std::uint64_t numEdges() const;
  std::uint64_t numVars() const;
  std::uint64_t numVariables() const { return numVars(); }

private:
  detail::Owner model_;
};

/// Extension: an option with its value.
struct Option {
  Option() : isDefault(true) {}
  std::string scope, key, value; // scope is "engine" or "target"
  bool isDefault;
};
/// Extension: a warning. `text` states why a setting has no effect, why the code size of a vertex type is unknown, or
/// what popscope.applyAdvice changed.
struct SettingWarning {
  std::string about, text; // about is the name of the option, or the vertex type
};
/// Extension: the effect of a compiler pass. `before` and `after` are one quantity before and after the pass, and
/// `unit` is the unit of this quantity.
struct Optimization {
  Optimization() : before(0), after(0) {}
  std::string name, unit;
  std::uint64_t before, after;
};

/// Extension: a constant of the machine, for example a cost on which estimates of cycles are based, or a tile's peak
/// rate of floating-point operations.
struct MachineCost {
  MachineCost() : value(0) {}
  std::string key, unit; // for example "exchange.bytesPerCycle" and "bytes per cycle"
  double value;
};

/// Extension: the sizes of the messages that a tile receives in a DoExchange.
struct MessageSizes {
  MessageSizes() : buses(1) {}
  std::uint32_t buses;    // number of buses that carry the messages: the tile's own bus, and the buses of neighbouring
                          // tiles that receive the same data
  Values bytes, messages; // sizes in bytes, ascending, and the number of messages of each size
};

class CompilationReport {
public:
  CompilationReport() {}
  explicit CompilationReport(detail::Owner model) : model_(model) {}
  Graph graph() const { return Graph(model_); }
  Target target() const { return Target(model_); }
  /// tiles() and ipus() return the tiles and IPUs of all replicas. For a tile of a later replica, the memory is that of
  /// the corresponding tile of the first replica.
  List<Tile> tiles() const;
  List<IPU> ipus() const;
  ProgramList programs() const;
  ProgramList controlPrograms() const;
  ProgramList functionPrograms() const;
  List<ComputeSet> computeSets() const;
  List<Variable> alwaysLiveVariables() const;
  /// Returns the always-live variables on a tile. For a tile of a later replica, returns the variables on the
  /// corresponding tile of the first replica. Throws std::out_of_range if the target has no such tile.
  List<Variable> alwaysLiveVariablesForTile(std::size_t tile) const;
  List<LivenessProgramStep> livenessProgramSteps() const;
  LoweredVariables loweredVariables() const { return LoweredVariables(model_); }
  /// Extension: returns all variables whose liveness the profile describes, each with its bytes over all tiles of a
  /// replica.
  List<Variable> variables() const;
  List<VertexType> vertexTypes() const;
  std::vector<Option> engineOptions() const;
  std::vector<Option> targetOptions() const;
  std::vector<Optimization> optimizations() const;
  /// Extension: returns the constants of the machine, sorted by key.
  std::vector<MachineCost> machineCosts() const;
  /// Extension: returns the floating-point operations of all compute sets, sorted by compute set, then vertex type.
  std::vector<VertexTypeFlops> flops() const;
  /// Extension: returns the different combinations of message sizes. ExchangeProgram::messageSizesByTile refers to
  /// positions in this list.
  std::vector<MessageSizes> messageSizes() const;

private:
  detail::Owner model_;
};

class PoplarVersion {
public:
  PoplarVersion() : major_(0), minor_(0), point_(0) {}
  explicit PoplarVersion(const std::string &text);
  std::string string() const { return text_; }
  std::uint64_t majorVer() const { return major_; }
  std::uint64_t minorVer() const { return minor_; }
  std::uint64_t pointVer() const { return point_; }
  std::string packageHash() const { return hash_; }

private:
  std::string text_, hash_;
  std::uint64_t major_, minor_, point_;
};

/// The version of the file format.
class ProfileReportVersion {
public:
  ProfileReportVersion() : major_(0), minor_(0), point_(0) {}
  ProfileReportVersion(std::uint64_t major, std::uint64_t minor, std::uint64_t point)
      : major_(major), minor_(minor), point_(point) {}
  std::uint64_t majorVer() const { return major_; }
  std::uint64_t minorVer() const { return minor_; }
  std::uint64_t pointVer() const { return point_; }
  bool isUnstableFormat() const { return false; }

private:
  std::uint64_t major_, minor_, point_;
};

enum class ComputeInstrumentationLevel { Off, Vertex, Tile, Ipu, Device, Unknown };
enum class ExternalExchangeInstrumentationLevel { Off, Tile, Unknown };

/// The requested instrumentation. Unknown means that the profile does not contain the setting.
class InstrumentationSettings {
public:
  InstrumentationSettings() {}
  explicit InstrumentationSettings(detail::Owner model) : model_(model) {}
  ComputeInstrumentationLevel compute() const;
  ExternalExchangeInstrumentationLevel externalExchange() const;
  /// Extension: returns whether counters of branches and iterations were requested, or false if the profile does not
  /// contain the setting.
  bool controlFlow() const;

private:
  detail::Owner model_;
};

/// Extension: a phase of the compilation, or the writing of the profile. The clocks of the process measure the times,
/// so the figures differ from one compilation to the next.
struct CompilePhase {
  CompilePhase()
      : isPart(false), parent(0), startMicroseconds(0), wallMicroseconds(0), cpuMicroseconds(0), memoryKnown(false),
        bytesBefore(0), bytesAfter(0), peakBytes(0) {}
  std::string name;
  bool isPart; // true: the phase is a part of the phase with the index `parent`
  std::size_t parent;
  double startMicroseconds; // microseconds from the beginning of the first phase to the beginning of this phase
  /// Times of the phase, including its parts. The CPU time is that of all threads of the process.
  double wallMicroseconds, cpuMicroseconds;
  bool memoryKnown; // false: the system did not report the memory, and the next three members are 0
  std::uint64_t bytesBefore, bytesAfter; // memory of the process at the beginning and at the end of the phase
  std::uint64_t peakBytes;               // peak memory of the process up to the end of the phase
};

/// Extension: data that only Popscope's profiles have.
class PopscopeData {
public:
  PopscopeData() {}
  explicit PopscopeData(detail::Owner model) : model_(model) {}
  /// Returns whether the memory in the profile includes code. For an IPU Model without compileIPUCode, the memory does
  /// not include code.
  bool codeIncluded() const;
  /// Returns whether the writer completed the file.
  bool complete() const;
  /// Returns where and why an incomplete profile ends: "in run 3 (\"train\"), after 4096 of its steps: No space left on
  /// device, at 409600 bytes". Returns "" for a complete profile. Also returns "" for a profile that this process
  /// writes, unless the recording ended early.
  std::string ending() const;
  /// Returns the file name of the program (or of the Python script) that wrote the profile, or "" if the name is
  /// unknown.
  std::string program() const;
  /// Returns the origin of the cycles. The origin is "estimated", because a model of the machine computes the cycles.
  std::string cycleProvenance() const;
  /// Returns the warnings about settings, the warnings about vertex types whose code has an unknown size, and the
  /// changes by popscope.applyAdvice.
  std::vector<SettingWarning> warnings() const;
  /// Returns the tiles whose data does not fit into their memory, the fullest first.
  std::vector<std::uint32_t> tilesOutOfMemory() const;
  /// Returns true if the graph does not fit, and the engine could run no program for this reason. A graph that does not
  /// fit can run with debug.allowOutOfMemory. Such a graph can also run on an IPU Model without compileIPUCode, if the
  /// program does not set debug.allowOutOfMemory to false.
  bool couldNotRun() const;
  /// Returns the always-live bytes of one replica, including those of code and system data.
  std::uint64_t alwaysLiveBytes() const;
  /// Returns the maximum over steps of the live bytes of one replica, including always-live bytes.
  std::uint64_t maxLiveBytes() const;
  /// Returns the reasons why variables are live, the false-live bytes, and the places at which a WriteUndef saves
  /// memory. If the profile contains no explanations, LivenessAdvice::present is false. Reads the file with each call.
  LivenessAdvice livenessAdvice() const;
  /// Returns whether the file contains the accesses of programs to variables. Files with explained liveness contain
  /// these accesses, except files that older versions of Popscope wrote.
  bool hasVariableAccesses() const;
  /// Returns the accesses to one variable, sorted by program, or an empty list if the file contains no accesses. Reads
  /// the file with each call.
  std::vector<VariableAccess> variableAccesses(const Variable &variable) const;
  /// Calls `visit` for each access that reads or writes elements, sorted by variable. Passes the id of the variable and
  /// the id of the program. `reads` and `writes` state what the access does. Reads the file with each call.
  void eachVariableAccess(
      const std::function<void(std::size_t variable, std::size_t program, bool reads, bool writes)> &visit) const;
  /// Returns the trials of changes, or an empty list if no change was tried. The first trial is the unchanged program.
  /// Reads the file with each call.
  std::vector<AdviceTrial> adviceTrials() const;
  /// Returns the phases of the compilation, sorted by start, or an empty list without popscope.recordCompilePhases.
  std::vector<CompilePhase> compilePhases() const;
  /// Returns the path of the file, or an empty string for a profile in memory.
  std::string path() const;
  /// Returns the path of the newest unfinished, readable profile in the folder of the file, or an empty string if there
  /// is none. Profiles that are older than the file do not count. A program leaves an unfinished profile if the program
  /// is killed.
  std::string unfinishedBeside() const;
  /// Writes the current profile, which can belong to a running engine, to the file `path`. The whole file appears at
  /// once or not at all. If this process writes the profile, marks the file `path` as complete, unless the latest run
  /// is incomplete or the recording ended early. If the profile was opened from a file, the file `path` gets the mark
  /// of that file. Throws std::runtime_error if the file cannot be written. The file leaves out the first `firstRun`
  /// calls of Engine::run. Cost: one copy of the profile.
  void save(const std::string &path, std::uint64_t firstRun = 0) const;
  /// Returns the bytes of a plain SQLite database with all tables and views of the profile; values per tile are JSON
  /// arrays. Throws std::runtime_error if the database cannot be made. Makes a temporary copy of the profile.
  std::string plainDatabase() const;

private:
  detail::Owner model_;
};

struct MeasuredCycles;
struct HostSample;
class Report;
List<MeasuredCycles> measuredCycles(const Report &report); // <pva/Measured.hpp>
List<HostSample> hostSamples(const Report &report);        // <pva/HostSamples.hpp>

class Report {
public:
  Report() : showExecution_(false) {}
  Report(detail::Owner model, bool showExecution) : model_(model), showExecution_(showExecution) {}
  PoplarVersion poplarVersion() const;
  ProfileReportVersion version() const;
  CompilationReport compilation() const { return CompilationReport(model_); }
  /// Returns the execution. If no run was recorded, or if the report was made without execution (Engine::getReport),
  /// the execution has no runs, no steps, and a total of 0 cycles.
  ExecutionReport execution() const { return ExecutionReport(model_, showExecution_); }
  InstrumentationSettings instrumentationSettings() const { return InstrumentationSettings(model_); }
  PopscopeData popscope() const { return PopscopeData(model_); }

private:
  friend class OperationAnalysis;
  friend List<MeasuredCycles> measuredCycles(const Report &report);
  friend List<HostSample> hostSamples(const Report &report);
  detail::Owner model_;
  bool showExecution_;
};

/// Opens a profile for reading. If the file is not a readable profile, throws std::runtime_error with a one-line
/// message that names the path. For an incomplete profile, prints one line on stderr that states where the profile
/// ends.
Report openReport(const std::string &profilePath);
/// Opens a profile with its debug.cbor. The first use of OperationAnalysis, Program::debugContext or
/// Program::moreDebugContexts reads the debug.cbor.
Report openReport(const std::string &profilePath, const std::string &debugInfoPath);
/// Extension: opens a profile as openReport does, but prints nothing for an incomplete profile. PopscopeData::ending
/// returns where such a profile ends. An empty `debugInfoPath` means no debug.cbor.
Report openReportQuietly(const std::string &profilePath, const std::string &debugInfoPath = std::string());

} // namespace pva
#endif
