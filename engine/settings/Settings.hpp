// Settings: the engine options as typed values. This is the only place that reads POPLAR_ENGINE_OPTIONS,
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

/// The tiles' registers when a program is loaded.
struct RegistersAtFirst {
  bool fpExceptions = false;       // debug.floatPointOpException
  bool stochasticRounding = false; // prng.enableStochasticRounding
  bool nanOverflow = false;        // debug.nanOverflowException
  std::uint64_t seed = 0;          // prng.seed
};

/// The value of popscope.elideCopies: the machine's rule, or one of the two rules.
enum class RenamingChoice : std::uint8_t { Machine, Copied, Gone };
/// Returns the rule that applies: the chosen one, or `machine` if the choice is the machine's rule.
[[nodiscard]] RenamingCopies chosenRule(RenamingChoice choice, RenamingCopies machine);

/// Files that compiling writes in addition to the profile; "" = none.
struct CompileFiles {
  bool debugInfo = false;                // autoReport.outputDebugInfo; again when the engine ends
  bool serializedGraph = false;          // autoReport.outputSerializedGraph
  std::string vertexGraph;               // target.saveOutputVertexGraph
  std::string loweredVariables;          // debug.loweredVarDumpFile
  bool compilePhases = false;            // popscope.recordCompilePhases; into the profile itself
  std::vector<std::string> dumpedPasses; // popscope.dump: the steps after these passes
};

/// A range of calls of Engine::run to record.
struct RunRange {
  std::uint64_t first = 0, last = 0, every = 1;
}; // both ends inclusive
/// Checks during the execution of vertices.
struct VertexChecks {
  bool racesAndStrayWrites = false; // debug.runtimeVerify
  std::uint32_t seconds = 60;       // popscope.vertexSeconds: limit of one vertex; 0 = no limit
};

struct RunChoice {
  std::uint32_t ofEachProgram = 2; // autoReport.executionProfileProgramRunCount: the first runs of each program
  std::vector<RunRange> ranges;    // popscope.profileRuns, ascending and disjoint; if not empty, exactly these runs
  std::string names, namesNot;     // popscope.profileNames and profileNamesNot: filters of names and labels; "" = any,
                                   // none
  double fromSecond = 0, toSecond = -1; // popscope.profileSeconds, since the engine's first run; toSecond < 0: no end
  StepKindsMask kinds = kAllStepKinds;  // popscope.profileCategories
  bool eachAtOnce = false;              // autoReport.streamAtEachRun, if it is set to true
  [[nodiscard]] bool inRanges(std::uint64_t run) const;
};

/// Data that is recorded of a run in addition to the cycles of its steps.
struct PathSettings {
  bool controlFlow = false;       // debug.instrumentControlFlow; by default as debug.instrument
  std::int64_t recordTile = -1;   // debug.branchRecordTile; -1 = the last tile
  bool everyExecution = false;    // popscope.recordEveryExecution
  std::uint64_t sampleMemory = 0; // popscope.sampleMemory: the interval in steps; 0 = never
  std::uint64_t sampleHost = 0;   // popscope.sampleHost: milliseconds; 0 = never
  HostMetrics hostMetrics;        // popscope.sampleHostMetrics
};

/// The lowering of copies.
struct CopySettings {
  std::uint64_t maxMergeBytes = ~std::uint64_t(0); // opt.maxCopyMergeSize
  bool mergesHostCopies = false;                   // popscope.hostCopies
};

/// Analyses in addition to the layout, and changes before it.
struct AdviceSettings {
  bool explainLiveness = false; // autoReport.outputLivenessExplanation
  std::uint32_t trials = 0;     // popscope.tryAdvice: maximum number of compilations
  std::string apply;            // popscope.applyAdvice, in the form of AdviceChange.hpp; "" = no change
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
  bool instrument = false, instrumentCompute = false; // if the second is not set, it equals the first
  bool instrumentExternalExchange = false;            // default: the value of instrument
  CounterLevel counterLevel = CounterLevel::Tile;     // debug.computeInstrumentationLevel
  PathSettings path;
  /// Returns what an IPU device records with these options.
  [[nodiscard]] RecordedDetail recordedDetail() const;
  BlockOptions blocks;         // profiler.blocks.*, profiler.programs.filter
  bool tableScheduler = false; // popscope.scheduler
  CopySettings copies;
  bool alwaysSwitch = true;                                     // popscope.alwaysSwitch
  bool multiAccessCopies = true;                                // opt.enableMultiAccessCopies
  RenamingChoice renamingCopies = RenamingChoice::Machine;      // popscope.elideCopies
  std::uint32_t workerStackBytes = 0, supervisorStackBytes = 0; // 0 = the machine's
  bool verify = false; // debug.verify: runs the independent checkers after compiling
  VertexChecks vertices;
  std::uint32_t loopSeconds = 600; // popscope.loopSeconds: limit of a RepeatWhile without the host; 0 = no limit
  bool values = true;              // popscope.values: values are computed
  bool multiThread = true;         // debug.cpuMultiThreadExecution
  PrefetchPolicy prefetch;         // exchange.enablePrefetch, exchange.streamBufferOverlap, target.hostSyncTimeout
  RegistersAtFirst registers;
  std::uint32_t compilationThreads = 0; // opt.maxCompilationThreads; 0 = as many as the host has
  CompileFiles files;
  std::vector<WarningRecord> warnings; // settings without an effect in combination with the others
  std::vector<OptionRecord> all;       // every option with its value, for the profile
};

/// Reads the options of the constructor, overridden by the environment. Throws poplar::invalid_option (an unknown name,
/// with the nearest known one, or a bad value) or poplar::parse_error (malformed JSON, with its byte offset).
EngineSettings readSettings(const poplar::OptionFlags &options);
/// Sets the typed setting of one of adviceOptions(). Throws poplar::invalid_option.
void setAdviceOption(const std::string &key, const std::string &value, EngineSettings &settings);
/// Returns the session requested from outside, if any. Throws poplar::invalid_option.
std::optional<SessionSettings> readSession();
/// Returns whether the option was set, by the program or from outside.
[[nodiscard]] bool isChosen(const EngineSettings &settings, const std::string &option);

} // namespace popscope
