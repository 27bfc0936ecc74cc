// Settings: the engine options as typed values. In engine/, only this module reads POPLAR_ENGINE_OPTIONS,
// POPLAR_RUNTIME_OPTIONS and the environment variables of base/settings/Configuration.hpp.
#pragma once
#include <poplar/OptionFlags.hpp>

#include "engine/host/HostSampler.hpp"
#include "engine/host/Prefetcher.hpp"
#include "engine/session/Session.hpp"
#include "graph/lowering/Lower.hpp"
#include "instrument/profile/Records.hpp"
#include "target-models/model/TileMachine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace popscope {

/// The initial values of the tiles' registers.
struct RegistersAtFirst {
  bool fpExceptions = false;       // debug.floatPointOpException
  bool stochasticRounding = false; // prng.enableStochasticRounding
  bool nanOverflow = false;        // debug.nanOverflowException
  std::uint64_t seed = 0;          // prng.seed
};

/// The value of popscope.elideCopies. A renaming copy only gives the elements of a tile another name. Machine selects
/// the machine's rule. Copied keeps renaming copies, and Gone removes renaming copies.
enum class RenamingChoice : std::uint8_t { Machine, Copied, Gone };
/// Returns the rule that applies: `choice`, or `machine` if `choice` is RenamingChoice::Machine.
[[nodiscard]] RenamingCopies chosenRule(RenamingChoice choice, RenamingCopies machine);

/// Files that the compiler writes in addition to the profile. An empty path means that the file is not written.
struct CompileFiles {
  std::string subfolder;                 // subfolder of autoReport.directory; has the name of the compilation's debug
                                         // context
  bool debugInfo = false;                // autoReport.outputDebugInfo; the file is written again when the engine ends
  bool serializedGraph = false;          // autoReport.outputSerializedGraph
  std::string vertexGraph;               // target.saveOutputVertexGraph
  std::string loweredVariables;          // debug.loweredVarDumpFile
  bool compilePhases = false;            // popscope.recordCompilePhases; written to the profile itself
  std::vector<std::string> dumpedPasses; // popscope.dump: passes after which the steps are written
};

/// A range of calls of Engine::run to record.
struct RunRange {
  std::uint64_t first = 0, last = 0, every = 1;
}; // `first` and `last` are inclusive; records every `every`-th call
/// The checks that are made while vertices run.
struct VertexChecks {
  bool racesAndStrayWrites = false; // debug.runtimeVerify
  std::uint32_t seconds = 60;       // popscope.vertexSeconds: time limit of one vertex in seconds; 0 means no limit
};

struct RunChoice {
  std::uint32_t ofEachProgram = 2; // autoReport.executionProfileProgramRunCount: number of runs to record per program
  std::vector<RunRange> ranges;    // popscope.profileRuns, ascending and disjoint; if not empty, only these runs are
                                   // recorded, and ofEachProgram does not apply
  std::string names, namesNot;     // popscope.profileNames and profileNamesNot: patterns for the names and labels of
                                   // runs. The first pattern selects runs to record, and the second excludes runs; ""
                                   // means no filter
  double fromSecond = 0, toSecond = -1; // popscope.profileSeconds, counted from the engine's first run; toSecond < 0
                                        // means no end
  StepKindsMask kinds = kAllStepKinds;  // popscope.profileCategories
  bool eachAtOnce = false;              // autoReport.streamAtEachRun is set to true: each run is written when it ends
  [[nodiscard]] bool inRanges(std::uint64_t run) const;
};

/// Data that is recorded about a run in addition to the cycles of its steps.
struct PathSettings {
  bool controlFlow = false;       // debug.instrumentControlFlow; default: the value of debug.instrument
  std::int64_t recordTile = -1;   // debug.branchRecordTile; -1 means the last tile
  bool everyExecution = false;    // popscope.recordEveryExecution
  std::uint64_t sampleMemory = 0; // popscope.sampleMemory: interval in steps; 0 means no samples
  std::uint64_t sampleHost = 0;   // popscope.sampleHost: interval in milliseconds; 0 means no samples
  HostMetrics hostMetrics;        // popscope.sampleHostMetrics
};

/// Settings for the lowering of copies.
struct CopySettings {
  std::uint64_t maxMergeBytes = ~std::uint64_t(0); // opt.maxCopyMergeSize
  bool mergesHostCopies = false;                   // popscope.hostCopies
};

/// Settings for analyses after the layout, and for changes that are applied before the layout.
struct AdviceSettings {
  bool explainLiveness = false; // autoReport.outputLivenessExplanation
  std::uint32_t trials = 0;     // popscope.tryAdvice: maximum number of compilations
  std::string apply;            // popscope.applyAdvice, in the form of AdviceChange.hpp; "" means no change
};

struct EngineSettings {
  std::string reportDirectory = "./";
  bool writeGraphProfile = false;     // autoReport.outputGraphProfile
  bool writeExecutionProfile = false; // autoReport.outputExecutionProfile
  [[nodiscard]] bool writesProfile() const { return writeGraphProfile || writeExecutionProfile; }
  bool writeLoweredVars = false;
  AdviceSettings advice;
  RunChoice recordedRuns;
  bool allowOutOfMemory = false;
  bool outOfMemoryChosen = false;                     // true: the user set debug.allowOutOfMemory
  bool instrument = false, instrumentCompute = false; // instrumentCompute: default: the value of instrument
  bool instrumentExternalExchange = false;            // default: the value of instrument
  CounterLevel counterLevel = CounterLevel::Tile;     // debug.computeInstrumentationLevel
  PathSettings path;
  /// Returns the parts of an execution that an IPU device records with these options.
  [[nodiscard]] RecordedDetail recordedDetail() const;
  BlockOptions blocks;         // profiler.blocks.*, profiler.programs.filter
  bool tableScheduler = false; // popscope.scheduler
  CopySettings copies;
  bool alwaysSwitch = true;                                     // popscope.alwaysSwitch
  bool multiAccessCopies = true;                                // opt.enableMultiAccessCopies
  RenamingChoice renamingCopies = RenamingChoice::Machine;      // popscope.elideCopies
  std::uint32_t workerStackBytes = 0, supervisorStackBytes = 0; // 0 means the stack size of the machine
  bool verify = false; // debug.verify: runs the independent checkers after compilation
  VertexChecks vertices;
  std::uint32_t loopSeconds = 600; // popscope.loopSeconds: limit of the process's processor time, in seconds, for a
                                   // RepeatWhile without a copy from or to the host; 0 means no limit
  bool values = true;              // popscope.values: whether values are computed
  bool multiThread = true;         // debug.cpuMultiThreadExecution
  PrefetchPolicy prefetch;         // exchange.enablePrefetch, exchange.streamBufferOverlap, target.hostSyncTimeout
  RegistersAtFirst registers;
  std::uint32_t compilationThreads = 0; // opt.maxCompilationThreads; 0 means one thread per core that the process may
                                        // use
  CompileFiles files;
  std::vector<WarningRecord> warnings; // settings without effect, and changes by popscope.applyAdvice
  std::vector<OptionRecord> all;       // every option with its value, for the profile
};

/// Reads the engine options from `options`, from configurations and from the environment.
/// base/settings/Configuration.hpp lists which of these layers overrides which. Throws poplar::invalid_option for a bad
/// value or an unknown name; the message suggests a similar name, or states how to list the names. Throws
/// poplar::parse_error for malformed JSON in POPLAR_RUNTIME_OPTIONS or POPLAR_ENGINE_OPTIONS; the message contains the
/// byte offset.
EngineSettings readSettings(const poplar::OptionFlags &options);
/// Sets the typed setting of an option in adviceOptions(). Does nothing for any other engine option. Throws
/// poplar::invalid_option for a bad value or an unknown option.
void setAdviceOption(const std::string &key, const std::string &value, EngineSettings &settings);
/// Returns the session that was requested from outside the program, or no value if no session was requested. Throws
/// poplar::invalid_option for a bad configuration.
std::optional<SessionSettings> readSession();
/// Returns why an engine with these settings writes no profile although a session was requested, for a message.
std::string whyNoProfile(const EngineSettings &settings);
/// Returns whether the option was set, by the program or from outside the program.
[[nodiscard]] bool isChosen(const EngineSettings &settings, const std::string &option);

} // namespace popscope
