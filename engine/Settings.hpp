// Settings: the engine options as typed values. The one place where POPLAR_ENGINE_OPTIONS and
// POPLAR_RUNTIME_OPTIONS are read.
#pragma once
#include <poplar/OptionFlags.hpp>

#include "engine/Prefetcher.hpp"
#include "graph/lowering/Lower.hpp"
#include "instrument/profile/Records.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct EngineSettings {
  std::string reportDirectory = "./";
  bool writeGraphProfile = false;      // autoReport.outputGraphProfile
  bool writeExecutionProfile = false;  // autoReport.outputExecutionProfile
  bool writeLoweredVars = false;
  bool explainLiveness = false;        // autoReport.outputLivenessExplanation
  std::uint32_t profiledRuns = 2;      // autoReport.executionProfileProgramRunCount, per program
  bool allowOutOfMemory = false;
  bool instrument = false, instrumentCompute = false; // the second follows the first unless it is set
  bool instrumentExternalExchange = false;            // likewise
  CounterLevel counterLevel = CounterLevel::Tile;     // debug.computeInstrumentationLevel
  /// What an IPU device records with these options.
  [[nodiscard]] RecordedDetail recordedDetail() const;
  bool tableScheduler = false;         // popscope.scheduler
  std::uint32_t workerStackBytes = 0, supervisorStackBytes = 0; // 0 = the machine's
  bool verify = false;                 // debug.verify: run the independent checkers after compiling
  bool runtimeVerify = false;          // debug.runtimeVerify: find races
  bool multiThread = true;             // debug.cpuMultiThreadExecution
  PrefetchPolicy prefetch;             // exchange.enablePrefetch, exchange.streamBufferOverlap
  std::vector<OptionRecord> all;       // every option with its value, for the profile
};

/// Constructor options overridden by the environment. Throws poplar::invalid_option (unknown name with the nearest known
/// one, bad value) or poplar::parse_error (malformed JSON, with its byte offset).
EngineSettings readSettings(const poplar::OptionFlags &options);

} // namespace popscope
