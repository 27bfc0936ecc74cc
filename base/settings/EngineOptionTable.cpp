#include "base/settings/EngineOptionTable.hpp"

#include <limits>

namespace popscope {
namespace {

constexpr const char *kSince = "1.0";
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max(),
                        kMost64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxSeconds = 1000000000; // 31 years: longer waiting times would not fit clocks of nanoseconds
constexpr std::uint64_t kMaxThreads = 65536;

OptionRow flag(const char *key, const char *defaultValue, const char *help) {
  return OptionRow{key, OptionKind::Bool, defaultValue, "", help, kSince};
}
OptionRow number(const char *key, const char *defaultValue, const char *unit, std::uint64_t max, const char *help) {
  OptionRow row{key, OptionKind::Unsigned, defaultValue, unit, help, kSince};
  row.max = max;
  return row;
}
OptionRow text(const char *key, const char *defaultValue, const char *help) {
  return OptionRow{key, OptionKind::String, defaultValue, "", help, kSince};
}
OptionRow choice(const char *key, std::vector<std::string> values, const char *defaultValue, const char *help) {
  return OptionRow{key, OptionKind::Enumeration, defaultValue, "", help, kSince, std::move(values)};
}

// Marks an option that programs set and that has no effect here; its help states why.
OptionRow accepted(OptionRow row) {
  row.help = "Accepted; " + row.help;
  row.hasEffect = false;
  return row;
}

void addReportOptions(std::vector<OptionRow> &rows) {
  rows.push_back(flag("autoReport.all", "false",
                      "Write every part of the report that is not switched off by name; the serialized graph apart"));
  rows.push_back(text("autoReport.directory", "./", "Folder for profile.pop; made when missing"));
  rows.push_back(flag("autoReport.outputGraphProfile", "false", "Write the memory part of profile.pop"));
  rows.push_back(flag("autoReport.outputExecutionProfile", "false",
                      "Write the execution part of profile.pop; switches debug.instrument on unless that is set"));
  rows.push_back(flag("autoReport.outputLoweredVars", "false", "Write every allocation with its address"));
  rows.push_back(flag("autoReport.outputLivenessExplanation", "false",
                      "Write why variables are live, which steps read and write them, and where a WriteUndef helps "
                      "(popscope why, vars, advise)"));
  rows.push_back(flag("autoReport.outputSerializedGraph", "false",
                      "Write serialized_graph.bin, in the binary format of Graph::serialize (Poplar writes a Cap'n "
                      "Proto file, whose schema is not public); "
                      "not part of autoReport.all"));
  rows.push_back(accepted(
      flag("autoReport.outputArchive", "false", "there is no archive of tile executables: codelets run on the host")));
  rows.push_back(flag("autoReport.outputDebugInfo", "false",
                      "Write debug.cbor: every DebugInfo of the process so far, and the programs that lie in none with "
                      "the places in the code where they "
                      "were made; when the graph is compiled and when the engine ends"));
  rows.push_back(
      flag("autoReport.streamAtEachRun", "true",
           "Set to true: the records of each run are in the file when it ends, however the program ends. Left out "
           "or false: those of runs that end within 50 ms are committed together, which short runs gain by"));
  rows.push_back(
      number("autoReport.executionProfileProgramRunCount", "2", "runs", kMost32,
             "How many runs of each program are recorded, its first ones; popscope.profileRuns replaces it"));
  rows.push_back(text("popscope.profileRuns", "",
                      "Which calls of Engine::run are recorded: their numbers from 0, such as 3-7,10,20-, of 100-/10 "
                      "every tenth from 100 on; empty = "
                      "the first ones of each program"));
  rows.push_back(text("popscope.profileNames", "",
                      "Of these runs only those whose name or label (of a popscope::profile::Scope) is wholly matched "
                      "by this regular expression"));
  rows.push_back(
      text("popscope.profileNamesNot", "", "Of these runs not those whose name or label is matched: \"warm.up.*\""));
  rows.push_back(text(
      "popscope.profileSeconds", "",
      "Of these runs only those that begin so many seconds after the engine's first one: 2-10, or 2.5- without end"));
  rows.push_back(
      text("popscope.profileCategories", "",
           "Of these runs only the time of steps of these categories: some of compute, exchange, globalExchange, host, "
           "sync, controlFlow, separated by commas; empty = all. What the run took in all is recorded in any case"));
}

void addDebugOptions(std::vector<OptionRow> &rows) {
  rows.push_back(flag("debug.allowOutOfMemory", "false", "Do not throw when a tile's memory overflows"));
  rows.push_back(flag(
      "debug.instrument", "false",
      "On an IPU device: record the execution by counters of computation, external exchange and control flow; default "
      "as autoReport.outputExecutionProfile. An IPU Model records always and has no counters"));
  rows.push_back(flag("debug.instrumentCompute", "false",
                      "On an IPU device: count the cycles of computation; default as debug.instrument"));
  rows.push_back(flag("debug.instrumentExternalExchange", "false",
                      "On an IPU device: count the cycles of host copies and of exchanges between IPUs; default as "
                      "debug.instrument"));
  rows.push_back(flag(
      "debug.instrumentControlFlow", "false",
      "On an IPU device: count the cycles of loops and conditionals, and record branches and iterations; default as "
      "debug.instrument"));
  rows.push_back(choice("debug.computeInstrumentationLevel", {"vertex", "tile", "ipu", "device"}, "tile",
                        "What the counters of computation count: memory, code, cycles and records follow it"));
  rows.push_back(accepted(flag("debug.retainDebugInformation", "true", "names are always kept")));
  rows.push_back(flag("debug.verify", "false", "Run the independent checkers after compiling (slow)"));
  rows.push_back(flag("debug.runtimeVerify", "false",
                      "Find vertices that race, or write outside of their operands, while running (slow)"));
  rows.push_back(flag("debug.cpuMultiThreadExecution", "true",
                      "Run vertices on several host threads, and write the profile beside them"));
  rows.push_back(
      flag("debug.floatPointOpException", "false",
           "At first, stop with application_runtime_error where a vertex divides by zero, overflows or does an invalid "
           "operation; setFloatingPointBehaviour changes it"));
  rows.push_back(flag("debug.nanOverflowException", "false",
                      "The NANOO bit of floating-point control at first: programs read it back; halves overflow to "
                      "infinity all the same"));
  rows.push_back(text("debug.loweredVarDumpFile", "",
                      "File for a CSV of every allocation: name, tile, address, bytes, alignment, category"));
  rows.push_back(
      text("debug.supervisorStackSizeInBytes", "", "The older name of target.supervisorStackSizeInBytes, which wins"));
  rows.push_back(
      text("debug.workerStackSizeInBytes", "", "The older name of target.workerStackSizeInBytes, which wins"));
  rows.push_back(accepted(
      text("debug.nanOverflowMode", "", "halves overflow to infinity; debug.nanOverflowException sets the bit")));
  rows.push_back(accepted(flag("debug.outputAllSymbols", "false", "the report always names every symbol")));
  rows.push_back(accepted(text("debug.trace", "", "no instructions are executed that could be traced")));
  rows.push_back(accepted(text("debug.traceFile", "", "no instructions are executed that could be traced")));
  rows.push_back(
      accepted(flag("debug.globalExchangeViaDebug", "false", "there is no debug port beside the links between IPUs")));
  rows.push_back(accepted(text("debug.profilingTile", "", "control flow is recorded on debug.branchRecordTile")));
  rows.push_back(text("debug.branchRecordTile", "", "The tile that records control flow; empty = the last one"));
  rows.push_back(accepted(
      text("debug.branchRecordFlush", "", "results of control flow are of the last execution: no buffer fills up")));
  rows.push_back(accepted(
      text("debug.executionProfile", "", "an option of Poplar 1.x; debug.instrument and autoReport took its place")));
  rows.push_back(accepted(
      text("debug.graphReportDestination", "", "an option of Poplar 1.x; Engine::getGraphProfile gives the tree")));
}

void addRuntimeOptions(std::vector<OptionRow> &rows) {
  rows.push_back(number("target.hostSyncTimeout", "300", "seconds", kMaxSeconds,
                        "How long a run waits for a ResumableStreamCallback that awaits its data"));
  rows.push_back(number("popscope.vertexSeconds", "60", "seconds", kMaxSeconds,
                        "How much processor time of the host the codelet of one vertex may take before the run stops "
                        "and names it; 0 = no limit"));
  rows.push_back(text("target.saveOutputVertexGraph", "", "File for the DOT text of Graph::outputVertexGraph"));
  rows.push_back(number("prng.seed", "0", "", kMost64, "Which sequence of random seeds the tiles begin with"));
  rows.push_back(flag(
      "prng.enableStochasticRounding", "false",
      "The ESR bit of floating-point control at first: programs read it back; halves round to nearest all the same"));
  rows.push_back(accepted(text("prng.enable", "", "tiles always have seeds")));
  rows.push_back(accepted(choice("target.deterministicWorkers", {"true", "false", "portable"}, "true",
                                 "vertices always run in the same order, on any number of host threads")));
  rows.push_back(accepted(flag("target.syncReplicasIndependently", "false",
                               "time is that of replica 0; replicas wait for none of the others")));
  rows.push_back(accepted(choice("target.syncMethod", {"default", "polling", "hybrid"}, "default",
                                 "host and simulated device are one process: nobody polls")));
  rows.push_back(accepted(number("target.syncPollPeriodUs", "0", "us", kMost32,
                                 "host and simulated device are one process: nobody polls")));
  rows.push_back(accepted(
      number("target.exceptionPollPeriodUs", "250000", "us", kMost32, "exceptions reach the caller of run at once")));
  rows.push_back(
      accepted(text("target.saveArchive", "", "there is no archive of tile executables: codelets run on the host")));
  rows.push_back(
      accepted(flag("target.extendedMemory", "false", "remote buffers have all the memory that the host has")));
  rows.push_back(accepted(text("target.firstRuntimeReplica", "", "all replicas run in this process")));
  rows.push_back(accepted(text("target.numberRuntimeReplica", "", "all replicas run in this process")));
  rows.push_back(accepted(text("profiler.format", "", "there is one format of profile.pop")));
  rows.push_back(accepted(text("profiler.replicaToProfile", "", "the records are those of replica 0")));
  rows.push_back(accepted(flag("profiler.includeFlopEstimates", "false",
                               "the floating-point operations that vertices are given are always recorded")));
  rows.push_back(accepted(
      flag("profiler.includeCycleEstimates", "false", "the cycles that vertices are given are always recorded")));
  rows.push_back(accepted(choice("streamCallbacks.multiThreadMode", {"singleThread", "collaborative", "dedicated"},
                                 "singleThread", "the thread that runs the engine calls callbacks, in program order")));
  for (const char *key :
       {"streamCallbacks.numaAware", "streamCallbacks.numWorkerThreads", "streamCallbacks.maxLookahead"})
    rows.push_back(accepted(text(
        key, "", "the thread that runs the engine calls callbacks; bufferingDepth of a stream bounds what is ahead")));
}

void addBlockOptions(std::vector<OptionRow> &rows) {
  rows.push_back(text("profiler.blocks.filter", "",
                      "Lightweight profiling: record the Block programs whose whole names match this regular "
                      "expression, on one tile of each IPU"));
  rows.push_back(text("profiler.programs.filter", "",
                      "The same of any program, as the report names it: each gets a Block around it"));
  rows.push_back(number("profiler.blocks.tile", "0", "", kMost32, "Which tile of each IPU records blocks"));
  OptionRow buffer = number("profiler.blocks.bufferSize", "1000", "bytes", 1U << 30,
                            "On an IPU device: memory for records of blocks on each tile that records, rounded up to "
                            "whole records of 24 bytes");
  buffer.min = 1;
  rows.push_back(buffer);
  rows.push_back(
      flag("profiler.blocks.implicitFlush", "true",
           "On an IPU device: copy the buffers to the host at the end of the bodies of loops that record blocks"));
}

void addOptimiserOptions(std::vector<OptionRow> &rows) {
  rows.push_back(number("opt.maxCompilationThreads", "0", "threads", kMaxThreads,
                        "Host threads for compiling; 0 = as many as the machine has"));
  rows.push_back(
      accepted(number("opt.maxLinkerThreads", "0", "threads", kMaxThreads, "tile programs are sized, not linked")));
  rows.push_back(accepted(choice("opt.internalExchangeOptimisationTarget", {"balanced", "cycles", "memory"}, "cycles",
                                 "the exchange planner makes one plan, which merges messages and multicasts")));
  rows.push_back(flag("opt.enableMultiAccessCopies", "true",
                      "Copies on a tile may load and store 8 bytes in one cycle, from and to different "
                      "memory elements; false: only copy vertices that ask for no memory element"));
  rows.push_back(
      accepted(flag("opt.useAutoloader", "true", "nothing is loaded over links: loading takes no modelled time")));
  rows.push_back(
      accepted(text("opt.enableInlining", "", "functions stay functions: a Call is never replaced by its body")));
  rows.push_back(
      text("opt.maxCopyMergeSize", "",
           "Bytes that copies on the device which are merged may move together; 0 merges none, empty is no limit"));
  rows.push_back(accepted(
      text("opt.maxComputeSetsPerLoweredCopy", "", "a copy becomes at most one exchange and one compute set")));
  rows.push_back(accepted(text("opt.enableSwSyncs", "", "barriers have the modelled hardware's cost")));
  rows.push_back(
      accepted(text("exchange.multicastPolicy", "", "a message that several tiles want is always sent once")));
}

void addCompilerOptions(std::vector<OptionRow> &rows) {
  rows.push_back(
      choice("exchange.streamBufferOverlap", {"any", "hostRearrangeOnly", "none"}, "any",
             "Which host buffers of streams may share memory; with any, nothing is prefetched ahead of its transfer"));
  rows.push_back(flag("exchange.enablePrefetch", "true",
                      "Ask stream callbacks for data by prefetch, ahead of time where buffers do not overlap"));
  rows.push_back(flag(
      "popscope.recordEveryExecution", "false",
      "Record start and cycles of every execution of every step (simulator_executions in the profile), whatever the "
      "instrumentation knows"));
  rows.push_back(number(
      "popscope.sampleMemory", "0", "steps", kMost64,
      "Record live memory in recorded runs at every so many steps, with the cycle (memory_samples in the profile); 0 = "
      "never"));
  rows.push_back(number("popscope.sampleHost", "0", "ms", 3600000,
                        "Sample what the process uses of its host at this interval while the engine lives "
                        "(host_samples in the profile, counters of traces); 0 = never"));
  rows.push_back(text("popscope.sampleHostMetrics", "cpu,memory",
                      "What popscope.sampleHost samples: some of cpu, memory and disk, separated by commas"));
  rows.push_back(flag(
      "popscope.recordCompilePhases", "false",
      "Record wall time, CPU time and memory of each part of the compile (compile_phases in the profile; popscope info "
      "--compile): figures of this process, which differ each time"));
  rows.push_back(text("popscope.dump", "",
                      "Write the program as it is after a pass of lowering into autoReport.directory, readable and "
                      "diffable: after:MergeCopies, several as after:MergeStreams,MergeCopies, or after:all "
                      "(steps-NN-PASS.txt)"));
  rows.push_back(choice(
      "popscope.values", {"computed", "skipped"}, "computed",
      "What a run does beside passing time; skipped: nothing is computed, moved or asked of the host, which needs an "
      "estimate for each vertex and control flow that follows no value"));
  rows.push_back(choice("popscope.scheduler", {"code", "table"}, "code",
                        "How a tile runs a compute set: code that names each vertex, or a loop over a table of them"));
  rows.push_back(
      flag("popscope.alwaysSwitch", "true",
           "Begin each run with the control copies and the broadcast of the program's number also where the engine has "
           "one program only, as devices do"));
  rows.push_back(choice("popscope.hostCopies", {"apart", "merged"}, "apart",
                        "Host copies that follow each other, the same way and of streams of their own: steps of their "
                        "own, or one step with the syncs of one"));
  rows.push_back(choice(
      "popscope.elideCopies", {"machine", "false", "true"}, "machine",
      "A copy that only gives elements of a tile another name, as the arguments of a function get them, "
      "moves nothing: who reads its destination reads its source, or who writes its source writes its destination; "
      "machine: its rule, which is that they move, unless its file says otherwise"));
  rows.push_back(number("popscope.tryAdvice", "0", "compilations", 10000,
                        "Compile the program as many times more, at most, with changes that may save memory, and "
                        "write what came of each (popscope advise, fit); 64 is enough for most programs"));
  rows.push_back(text("popscope.applyAdvice", "",
                      "Changes of mapping and WriteUndefs to compile the program with, which leave its values as they "
                      "are: a JSON array, or a file with one, as popscope fit --write writes"));
  rows.push_back(
      text("target.workerStackSizeInBytes", "",
           "Bytes of each worker's stack, a multiple of 8, decimal or 0x...; empty or 0 = as the machine has it"));
  rows.push_back(text("target.supervisorStackSizeInBytes", "", "Bytes of the supervisor's stack, likewise"));
  addRuntimeOptions(rows);
  addBlockOptions(rows);
  addOptimiserOptions(rows);
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
