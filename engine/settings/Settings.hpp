// Settings: the engine options as typed values. The one place where POPLAR_ENGINE_OPTIONS, POPLAR_RUNTIME_OPTIONS and
// what base/settings/Configuration.hpp lists are read.
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

/// What the tiles' registers hold when a program is loaded.
struct RegistersAtFirst {
  bool fpExceptions = false;       // debug.floatPointOpException
  bool stochasticRounding = false; // prng.enableStochasticRounding
  bool nanOverflow = false;        // debug.nanOverflowException
  std::uint64_t seed = 0;          // prng.seed
};

/// What popscope.elideCopies chooses: the rule of the machine, or one of the two.
enum class RenamingChoice : std::uint8_t { Machine, Copied, Gone };
[[nodiscard]] RenamingCopies chosenRule(RenamingChoice choice, RenamingCopies machine);

/// Files that compiling writes beside the profile; "" = none.
struct CompileFiles {
  bool debugInfo = false;                // autoReport.outputDebugInfo; again when the engine ends
  bool serializedGraph = false;          // autoReport.outputSerializedGraph
  std::string vertexGraph;               // target.saveOutputVertexGraph
  std::string loweredVariables;          // debug.loweredVarDumpFile
  bool compilePhases = false;            // popscope.recordCompilePhases; into the profile itself
  std::vector<std::string> dumpedPasses; // popscope.dump: the steps after these passes
};

/// Which calls of Engine::run are recorded.
struct RunRange {
  std::uint64_t first = 0, last = 0, every = 1;
}; // inclusive
/// What is looked for while vertices run.
struct VertexChecks {
  bool racesAndStrayWrites = false; // debug.runtimeVerify
  std::uint32_t seconds = 60;       // popscope.vertexSeconds: of one vertex; 0 = no limit
};

struct RunChoice {
  std::uint32_t ofEachProgram = 2; // autoReport.executionProfileProgramRunCount: the first ones
  std::vector<RunRange> ranges;    // popscope.profileRuns, ascending and disjoint; not empty: these and no others
  std::string names, namesNot;     // popscope.profileNames and profileNamesNot, over names and labels; "" = any, none
  double fromSecond = 0, toSecond = -1; // popscope.profileSeconds, since the engine's first run; toSecond < 0: no end
  StepKindsMask kinds = kAllStepKinds;  // popscope.profileCategories
  bool eachAtOnce = false;              // autoReport.streamAtEachRun, where it is set to true
  [[nodiscard]] bool inRanges(std::uint64_t run) const;
};

/// What is recorded of a run beside the cycles of its steps.
struct PathSettings {
  bool controlFlow = false;       // debug.instrumentControlFlow, which follows debug.instrument unless it is set
  std::int64_t recordTile = -1;   // debug.branchRecordTile; -1 = the last one
  bool everyExecution = false;    // popscope.recordEveryExecution
  std::uint64_t sampleMemory = 0; // popscope.sampleMemory: every so many steps; 0 = never
  std::uint64_t sampleHost = 0;   // popscope.sampleHost: milliseconds; 0 = never
  HostMetrics hostMetrics;        // popscope.sampleHostMetrics
};

/// What becomes of copies on the device.
struct CopySettings {
  std::uint64_t maxMergeBytes = ~std::uint64_t(0); // opt.maxCopyMergeSize
  bool mergesHostCopies = false;                   // popscope.hostCopies
};

/// What is found out beside the layout, and what is changed before it.
struct AdviceSettings {
  bool explainLiveness = false; // autoReport.outputLivenessExplanation
  std::uint32_t trials = 0;     // popscope.tryAdvice: compilations at most
  std::string apply;            // popscope.applyAdvice, as AdviceChange.hpp has it; "" = nothing
};

struct EngineSettings {
  std::string reportDirectory = "./";
  bool writeGraphProfile = false;     // autoReport.outputGraphProfile
  bool writeExecutionProfile = false; // autoReport.outputExecutionProfile
  bool writeLoweredVars = false;
  AdviceSettings advice;
  RunChoice recordedRuns;
  bool allowOutOfMemory = false;
  bool outOfMemoryChosen = false;                     // the user set the option
  bool instrument = false, instrumentCompute = false; // the second follows the first unless it is set
  bool instrumentExternalExchange = false;            // likewise
  CounterLevel counterLevel = CounterLevel::Tile;     // debug.computeInstrumentationLevel
  PathSettings path;
  /// What an IPU device records with these options.
  [[nodiscard]] RecordedDetail recordedDetail() const;
  BlockOptions blocks;         // profiler.blocks.*, profiler.programs.filter
  bool tableScheduler = false; // popscope.scheduler
  CopySettings copies;
  bool alwaysSwitch = true;                                     // popscope.alwaysSwitch
  bool multiAccessCopies = true;                                // opt.enableMultiAccessCopies
  RenamingChoice renamingCopies = RenamingChoice::Machine;      // popscope.elideCopies
  std::uint32_t workerStackBytes = 0, supervisorStackBytes = 0; // 0 = the machine's
  bool verify = false; // debug.verify: run the independent checkers after compiling
  VertexChecks vertices;
  bool values = true;      // popscope.values: computed
  bool multiThread = true; // debug.cpuMultiThreadExecution
  PrefetchPolicy prefetch; // exchange.enablePrefetch, exchange.streamBufferOverlap, target.hostSyncTimeout
  RegistersAtFirst registers;
  std::uint32_t compilationThreads = 0; // opt.maxCompilationThreads; 0 = as many as the machine has
  CompileFiles files;
  std::vector<WarningRecord> warnings; // settings that have no effect beside the others
  std::vector<OptionRecord> all;       // every option with its value, for the profile
};

/// Constructor options overridden by the environment. Throws poplar::invalid_option (unknown name with the nearest
/// known one, bad value) or poplar::parse_error (malformed JSON, with its byte offset).
EngineSettings readSettings(const poplar::OptionFlags &options);
/// The option's value in the typed settings, for the options of adviceOptions(). Throws poplar::invalid_option.
void setAdviceOption(const std::string &key, const std::string &value, EngineSettings &settings);
/// What was asked for from outside; nothing when nobody did. Throws poplar::invalid_option.
std::optional<SessionSettings> readSession();
/// The option was given, by whomever.
[[nodiscard]] bool isChosen(const EngineSettings &settings, const std::string &option);

} // namespace popscope
