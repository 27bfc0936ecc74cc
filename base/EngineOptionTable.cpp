#include "base/EngineOptionTable.hpp"

namespace popscope {
namespace {

constexpr const char *kSince = "0.1";

OptionRow flag(const char *key, const char *defaultValue, const char *help) {
  return OptionRow{key, OptionKind::Bool, defaultValue, "", help, kSince};
}
OptionRow number(const char *key, const char *defaultValue, const char *unit, const char *help) {
  return OptionRow{key, OptionKind::Unsigned, defaultValue, unit, help, kSince};
}
OptionRow text(const char *key, const char *defaultValue, const char *help) {
  return OptionRow{key, OptionKind::String, defaultValue, "", help, kSince};
}
OptionRow choice(const char *key, std::vector<std::string> values, const char *defaultValue, const char *help) {
  return OptionRow{key, OptionKind::Enumeration, defaultValue, "", help, kSince, std::move(values)};
}

// Options that programs set and that change nothing here are accepted; their help says so.
constexpr const char *kNoEffect = "Accepted; has no effect on a simulated machine";
OptionRow accepted(OptionRow row) {
  row.hasEffect = false;
  return row;
}

void addReportOptions(std::vector<OptionRow> &rows) {
  rows.push_back(flag("autoReport.all", "false", "Write every part of the report that is not switched off by name"));
  rows.push_back(text("autoReport.directory", "./", "Folder for profile.pop; made when missing"));
  rows.push_back(flag("autoReport.outputGraphProfile", "false", "Write the memory part of profile.pop"));
  rows.push_back(flag("autoReport.outputExecutionProfile", "false", "Write the execution part of profile.pop"));
  rows.push_back(flag("autoReport.outputLoweredVars", "false", "Write every allocation with its address"));
  rows.push_back(flag("autoReport.outputLivenessExplanation", "false",
                      "Write why variables are live and where a WriteUndef helps (popscope why, advise); costs some 40 analyses "
                      "of the program at compile time"));
  rows.push_back(accepted(flag("autoReport.outputArchive", "false", kNoEffect)));
  rows.push_back(accepted(flag("autoReport.outputSerializedGraph", "false", kNoEffect)));
  rows.push_back(accepted(flag("autoReport.outputDebugInfo", "false", kNoEffect)));
  rows.push_back(accepted(flag("autoReport.streamAtEachRun", "true",
                               "Accepted; the records of a run are always committed when it ends")));
  rows.push_back(number("autoReport.executionProfileProgramRunCount", "2", "runs",
                        "How many runs of each program are recorded"));
}

void addDebugOptions(std::vector<OptionRow> &rows) {
  rows.push_back(flag("debug.allowOutOfMemory", "false", "Do not throw when a tile's memory overflows"));
  rows.push_back(flag("debug.instrument", "false",
                      "On an IPU device: record the execution by counters of computation and external exchange; an IPU Model "
                      "records always and has no counters"));
  rows.push_back(flag("debug.instrumentCompute", "false",
                      "On an IPU device: count the cycles of computation; default as debug.instrument"));
  rows.push_back(flag("debug.instrumentExternalExchange", "false",
                      "On an IPU device: count the cycles of host copies and of exchanges between IPUs; default as "
                      "debug.instrument"));
  rows.push_back(accepted(flag("debug.instrumentControlFlow", "false", "Accepted; If and Switch have no counters")));
  rows.push_back(choice("debug.computeInstrumentationLevel", {"vertex", "tile", "ipu", "device"}, "tile",
                        "What the counters of computation count: memory, code, cycles and records follow it"));
  rows.push_back(accepted(flag("debug.retainDebugInformation", "true", "Accepted; names are always kept")));
  rows.push_back(flag("debug.verify", "false", "Run the independent checkers after compiling (slow)"));
  rows.push_back(flag("debug.runtimeVerify", "false", "Find vertices that race while running (slow)"));
  rows.push_back(flag("debug.cpuMultiThreadExecution", "true", "Run vertices on several host threads"));
  for (const char *key : {"debug.outputAllSymbols", "debug.trace", "debug.floatPointOpException",
                          "debug.nanOverflowException", "debug.nanOverflowMode", "debug.globalExchangeViaDebug",
                          "debug.branchRecordFlush", "debug.supervisorStackSizeInBytes"})
    rows.push_back(accepted(text(key, "", kNoEffect)));
  for (const char *key : {"debug.traceFile", "debug.loweredVarDumpFile", "debug.profilingTile", "debug.branchRecordTile",
                          "debug.executionProfile", "debug.graphReportDestination"})
    rows.push_back(accepted(text(key, "", kNoEffect)));
}

void addCompilerOptions(std::vector<OptionRow> &rows) {
  rows.push_back(choice("exchange.streamBufferOverlap", {"any", "hostRearrangeOnly", "none"}, "any",
                        "Which host buffers of streams may share memory; with any, nothing is prefetched ahead of its transfer"));
  rows.push_back(flag("exchange.enablePrefetch", "true",
                      "Ask stream callbacks for data by prefetch, ahead of time where buffers do not overlap"));
  rows.push_back(choice("popscope.scheduler", {"code", "table"}, "code",
                        "How a tile runs a compute set: code that names each vertex, or a loop over a table of them"));
  rows.push_back(text("target.workerStackSizeInBytes", "", "Bytes of each worker's stack, decimal or 0x...; empty or 0 = as the machine has it"));
  rows.push_back(text("target.supervisorStackSizeInBytes", "", "Bytes of the supervisor's stack, likewise"));
  for (const char *key :
       {"opt.maxCompilationThreads", "opt.maxLinkerThreads", "opt.internalExchangeOptimisationTarget",
        "opt.enableMultiAccessCopies", "opt.useAutoloader", "opt.enableInlining", "opt.maxCopyMergeSize",
        "opt.maxComputeSetsPerLoweredCopy", "opt.enableSwSyncs", "exchange.multicastPolicy", "target.deterministicWorkers",
        "target.syncReplicasIndependently", "target.hostSyncTimeout", "target.syncMethod", "target.syncPollPeriodUs",
        "target.exceptionPollPeriodUs", "target.saveArchive", "target.saveOutputVertexGraph", "target.extendedMemory",
        "target.firstRuntimeReplica", "target.numberRuntimeReplica", "prng.enableStochasticRounding", "prng.enable", "prng.seed",
        "profiler.programs.filter", "profiler.blocks.filter", "profiler.blocks.implicitFlush", "profiler.blocks.tile",
        "profiler.blocks.bufferSize", "profiler.format", "profiler.replicaToProfile", "profiler.includeFlopEstimates",
        "profiler.includeCycleEstimates", "streamCallbacks.multiThreadMode", "streamCallbacks.numaAware",
        "streamCallbacks.numWorkerThreads", "streamCallbacks.maxLookahead"})
    rows.push_back(accepted(text(key, "", kNoEffect)));
}

OptionTable makeTable() {
  std::vector<OptionRow> rows;
  addReportOptions(rows);
  addDebugOptions(rows);
  addCompilerOptions(rows);
  return OptionTable("engine", std::move(rows));
}

} // namespace

const OptionTable &engineOptionTable() {
  static const OptionTable table = makeTable();
  return table;
}

} // namespace popscope
