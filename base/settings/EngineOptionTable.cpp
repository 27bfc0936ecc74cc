#include "base/settings/EngineOptionTable.hpp"

#include <limits>

namespace popscope {
namespace {

constexpr const char *kSince = "1.0";
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max(),
                        kMost64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxSeconds = 1000000000; // 31 years: nanosecond clocks do not hold much longer waiting times
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

// Marks an option that acts when a graph is compiled.
OptionRow compiled(OptionRow row) {
  row.acts = OptionActs::WhenCompiled;
  return row;
}
// Marks an option that acts when a graph is compiled for an IPU device. The counters of a device are part of its
// program. A model has no counters, so for a model the option acts when the executable is loaded.
OptionRow compiledForIpu(OptionRow row) {
  row.acts = OptionActs::WhenCompiledForIpu;
  return row;
}

void addReportOptions(std::vector<OptionRow> &rows) {
  rows.push_back(
      flag("autoReport.all", "false",
           "Write every part of the report, except the serialized graph and parts that an option switches off"));
  rows.push_back(text("autoReport.directory", "./",
                      "Folder for profile.pop, debug.cbor, serialized_graph.bin and the files of popscope.dump. If the "
                      "folder does not exist, the engine creates the folder. If the debug context of compileGraph or "
                      "Engine has a name, the files go to a subfolder with this name. If a profile is requested from "
                      "outside (POPSCOPE_PROFILE), the default is the folder of the session"));
  rows.push_back(flag("autoReport.outputGraphProfile", "false",
                      "Write the memory part of profile.pop. The value false has no effect if the execution part is "
                      "written, because the execution part refers to the memory part"));
  rows.push_back(flag(
      "autoReport.outputExecutionProfile", "false",
      "Write the execution part of profile.pop. The value of this option is also the default of debug.instrument"));
  rows.push_back(compiled(
      flag("autoReport.outputLoweredVars", "false", "Record in the profile every allocation, with its address")));
  rows.push_back(
      compiled(flag("autoReport.outputLivenessExplanation", "false",
                    "Record in the profile why variables are live, which steps read and write the variables, and where "
                    "a WriteUndef helps. The commands popscope why, vars and advise show these facts")));
  rows.push_back(compiled(
      flag("autoReport.outputSerializedGraph", "false",
           "Write serialized_graph.bin when the graph is compiled, in the binary format of Graph::serialize (Poplar "
           "writes a Cap'n Proto file with a schema that is not public). autoReport.all does not include this file")));
  rows.push_back(accepted(
      flag("autoReport.outputArchive", "false", "there is no archive of tile executables: codelets run on the host")));
  rows.push_back(
      flag("autoReport.outputDebugInfo", "false",
           "Write debug.cbor when the graph is compiled and when the engine ends. The file contains every DebugInfo "
           "that the process has created so far. For every program without a DebugInfo, the file contains the place in "
           "the source at which the program is created. An engine of an executable that was read from a file writes no "
           "debug.cbor; copy the debug.cbor of the compilation next to the engine's profile"));
  rows.push_back(
      flag("autoReport.streamAtEachRun", "true",
           "If this option is set to true, or if a profile is requested from outside (POPSCOPE_PROFILE), the engine "
           "commits each run to profile.pop when the run ends. The file then contains each run that has ended, even if "
           "the program is killed. If no profile is requested from outside, and the option is not set or is false, the "
           "engine commits runs that end within 50 ms together, which makes short runs faster"));
  rows.push_back(number("autoReport.executionProfileProgramRunCount", "2", "runs", kMost32,
                        "Record the first runs of each program, up to this number; if popscope.profileRuns is set, "
                        "this option has no effect"));
  rows.push_back(text("popscope.profileRuns", "",
                      "Record these calls of Engine::run, numbered from 0. For example, 3-7,10,20- means the calls 3 "
                      "to 7, the call 10, and all calls from 20 on; 100-/10 means every tenth call from 100 on; empty "
                      "= the first runs of each program"));
  rows.push_back(text("popscope.profileNames", "",
                      "Of the runs that the other options select, record only runs whose whole name, or whose whole "
                      "label (of a popscope::profile::Scope), matches this regular expression"));
  rows.push_back(text("popscope.profileNamesNot", "",
                      "Of the runs that the other options select, leave out runs whose whole name or whole label "
                      "matches this regular expression, such as \"warm.up.*\""));
  rows.push_back(text(
      "popscope.profileSeconds", "",
      "Of the runs that the other options select, record only runs that begin in this span of seconds, for example "
      "2-10, or 2.5- for all runs from second 2.5 on. The seconds count from the beginning of the engine's first run"));
  rows.push_back(
      text("popscope.profileCategories", "",
           "In the selected runs, record only the times of steps of these categories, separated by commas: compute, "
           "exchange, globalExchange, host, sync, controlFlow; empty = all. The length of the run is always recorded"));
}

void addDebugOptions(std::vector<OptionRow> &rows) {
  rows.push_back(flag("debug.allowOutOfMemory", "false",
                      "Do not throw an exception when a tile's memory overflows. On an IPU Model without "
                      "compileIPUCode, the engine throws an exception only if this option is explicitly set to false"));
  rows.push_back(compiled(flag("debug.instrument", "false",
                               "On an IPU device: record the execution by counters of computation, external exchange "
                               "and control flow; default: the value of autoReport.outputExecutionProfile. An IPU "
                               "Model has no counters and always records the execution")));
  rows.push_back(
      compiled(flag("debug.instrumentCompute", "false",
                    "On an IPU device: count the cycles of computation; default: the value of debug.instrument")));
  rows.push_back(compiled(flag("debug.instrumentExternalExchange", "false",
                               "On an IPU device: count the cycles of host copies and of exchanges between IPUs; "
                               "default: the value of debug.instrument")));
  rows.push_back(compiled(flag("debug.instrumentControlFlow", "false",
                               "On an IPU device: count the cycles of loops and conditionals, and record branches and "
                               "iterations; default: the value of debug.instrument")));
  rows.push_back(
      compiledForIpu(choice("debug.computeInstrumentationLevel", {"vertex", "tile", "ipu", "device"}, "tile",
                            "The unit whose cycles each counter of computation counts. The level decides which cycles "
                            "are known, and how much memory, code and time the counters take")));
  rows.push_back(accepted(flag("debug.retainDebugInformation", "true", "names are always kept")));
  rows.push_back(compiled(
      flag("debug.verify", "false",
           "After each compilation, check the steps, the liveness and the layout with independent checkers (slow)")));
  rows.push_back(flag("debug.runtimeVerify", "false",
                      "While the program runs, find vertices that race or write outside of their operands (slow)"));
  rows.push_back(flag("debug.cpuMultiThreadExecution", "true",
                      "Run vertices on several host threads, and write the profile on another thread"));
  rows.push_back(
      flag("debug.floatPointOpException", "false",
           "Stop the run with application_runtime_error if a floating-point operation of a vertex divides by zero, "
           "overflows or is invalid. The option gives the initial setting, which setFloatingPointBehaviour changes"));
  rows.push_back(flag("debug.nanOverflowException", "false",
                      "Initial value of the NANOO bit of floating-point control. Programs can read the bit; halves "
                      "overflow to infinity in any case"));
  rows.push_back(compiled(text(
      "debug.loweredVarDumpFile", "",
      "File for a CSV of every allocation: name, tile, address, bytes, alignment, category, alwaysLive, overlapped")));
  rows.push_back(compiled(text("debug.supervisorStackSizeInBytes", "",
                               "The older name of target.supervisorStackSizeInBytes. This option has an effect only if "
                               "target.supervisorStackSizeInBytes is empty or 0")));
  rows.push_back(compiled(text("debug.workerStackSizeInBytes", "",
                               "The older name of target.workerStackSizeInBytes. This option has an effect only if "
                               "target.workerStackSizeInBytes is empty or 0")));
  rows.push_back(accepted(
      text("debug.nanOverflowMode", "", "halves overflow to infinity; debug.nanOverflowException sets the NANOO bit")));
  rows.push_back(accepted(flag("debug.outputAllSymbols", "false", "the report always names every symbol")));
  rows.push_back(accepted(
      text("debug.trace", "", "Popscope does not execute instructions of a tile, so there is nothing to trace")));
  rows.push_back(accepted(
      text("debug.traceFile", "", "Popscope does not execute instructions of a tile, so there is nothing to trace")));
  rows.push_back(accepted(flag("debug.globalExchangeViaDebug", "false", "there is no debug port")));
  rows.push_back(accepted(
      text("debug.profilingTile", "", "control flow is recorded on the tile that debug.branchRecordTile sets")));
  rows.push_back(compiled(text("debug.branchRecordTile", "",
                               "The tile that records control flow; empty = the tile with the largest number")));
  rows.push_back(accepted(
      text("debug.branchRecordFlush", "", "counters of control flow hold the last execution, so no buffer fills up")));
  rows.push_back(
      accepted(text("debug.executionProfile", "",
                    "the option is from Poplar 1.x; debug.instrument and the autoReport options replace it")));
  rows.push_back(accepted(text("debug.graphReportDestination", "",
                               "the option is from Poplar 1.x; Engine::getGraphProfile returns the report as a tree")));
}

void addRuntimeOptions(std::vector<OptionRow> &rows) {
  rows.push_back(number("target.hostSyncTimeout", "300", "seconds", kMaxSeconds,
                        "How long a run waits for a ResumableStreamCallback that has no data yet"));
  rows.push_back(number("popscope.vertexSeconds", "60", "seconds", kMaxSeconds,
                        "The processor time that the codelet of one vertex may take on the host. If the codelet takes "
                        "more, the run stops and the error names the vertex; 0 = no limit"));
  rows.push_back(
      number("popscope.loopSeconds", "600", "seconds", kMaxSeconds,
             "The processor time, over all threads of the process, for which a RepeatWhile may run without a copy from "
             "or to the host. If the loop runs longer, the run stops and the error names the loop; 0 = no limit"));
  rows.push_back(
      compiled(text("target.saveOutputVertexGraph", "", "File for the DOT text of Graph::outputVertexGraph")));
  rows.push_back(number("prng.seed", "0", "", kMost64, "The seed of the tiles' random number generators"));
  rows.push_back(flag("prng.enableStochasticRounding", "false",
                      "Initial value of the ESR bit of floating-point control. Programs can read the bit; halves round "
                      "to nearest in any case"));
  rows.push_back(accepted(text("prng.enable", "", "tiles always have seeds")));
  rows.push_back(accepted(choice("target.deterministicWorkers", {"true", "false", "portable"}, "true",
                                 "vertices always run in the same order, on any number of host threads")));
  rows.push_back(accepted(flag("target.syncReplicasIndependently", "false",
                               "Popscope records the times of replica 0, and no replica waits for another")));
  rows.push_back(accepted(choice("target.syncMethod", {"default", "polling", "hybrid"}, "default",
                                 "the host and the simulated device are one process, so nothing is polled")));
  rows.push_back(accepted(number("target.syncPollPeriodUs", "0", "us", kMost32,
                                 "the host and the simulated device are one process, so nothing is polled")));
  rows.push_back(accepted(
      number("target.exceptionPollPeriodUs", "250000", "us", kMost32, "exceptions reach the caller of run at once")));
  rows.push_back(
      accepted(text("target.saveArchive", "", "there is no archive of tile executables: codelets run on the host")));
  rows.push_back(
      accepted(flag("target.extendedMemory", "false", "remote buffers have all the memory that the host has")));
  rows.push_back(accepted(text("target.textSectionSizeInBytes", "", "code has no section of a fixed size")));
  rows.push_back(accepted(
      text("target.gatewayMode", "", "the option concerns gateways of devices, which Popscope does not model")));
  rows.push_back(accepted(text("target.maxStreamCallbackThreadsPerNumaNode", "",
                               "the thread that runs the engine calls callbacks, in program order")));
  rows.push_back(accepted(text("target.firstRuntimeReplica", "", "all replicas run in this process")));
  rows.push_back(accepted(text("target.numberRuntimeReplica", "", "all replicas run in this process")));
  rows.push_back(accepted(text("profiler.format", "", "there is one format of profile.pop")));
  rows.push_back(accepted(text("profiler.replicaToProfile", "", "Popscope always records replica 0")));
  rows.push_back(accepted(
      flag("profiler.includeFlopEstimates", "false", "estimates of floating-point operations are always recorded")));
  rows.push_back(accepted(flag("profiler.includeCycleEstimates", "false", "estimates of cycles are always recorded")));
  rows.push_back(accepted(choice("streamCallbacks.multiThreadMode", {"singleThread", "collaborative", "dedicated"},
                                 "singleThread", "the thread that runs the engine calls callbacks, in program order")));
  for (const char *key :
       {"streamCallbacks.numaAware", "streamCallbacks.numWorkerThreads", "streamCallbacks.maxLookahead"})
    rows.push_back(accepted(text(key, "",
                                 "the thread that runs the engine calls callbacks; a stream's bufferingDepth limits "
                                 "how far ahead of the transfers the thread calls them")));
}

void addBlockOptions(std::vector<OptionRow> &rows) {
  rows.push_back(compiled(text("profiler.blocks.filter", "",
                               "Lightweight profiling: on one tile of each IPU, record the Blocks whose whole names "
                               "match this regular expression")));
  rows.push_back(compiled(text("profiler.programs.filter", "",
                               "Lightweight profiling: put a Block around each program whose whole name in the report "
                               "matches this regular expression")));
  rows.push_back(compiled(
      number("profiler.blocks.tile", "0", "", kMost32, "The tile that records blocks: its number within each IPU")));
  OptionRow buffer = compiled(number("profiler.blocks.bufferSize", "1000", "bytes", 1U << 30,
                                     "On an IPU device: memory for the records of blocks on each tile that records "
                                     "blocks, rounded up to whole records of 24 bytes"));
  buffer.min = 1;
  rows.push_back(buffer);
  rows.push_back(compiled(flag("profiler.blocks.implicitFlush", "true",
                               "On an IPU device: copy the buffers to the host at the end of each iteration of a loop "
                               "that records blocks, unless the loop runs inside a recorded block")));
}

void addOptimiserOptions(std::vector<OptionRow> &rows) {
  rows.push_back(
      compiled(number("opt.maxCompilationThreads", "0", "threads", kMaxThreads,
                      "Number of host threads for compiling; 0 = one for each processor that the process may use")));
  rows.push_back(accepted(number("opt.maxLinkerThreads", "0", "threads", kMaxThreads,
                                 "Popscope computes the size of tile programs and does not link them")));
  rows.push_back(accepted(choice("opt.internalExchangeOptimisationTarget", {"balanced", "cycles", "memory"}, "cycles",
                                 "the exchange planner makes one plan, which merges messages and uses multicasts")));
  rows.push_back(compiled(
      flag("opt.enableMultiAccessCopies", "true",
           "Allow copies on a tile that load and store 8 bytes in one cycle, with source and destination in different "
           "memory elements. false: no copy requires different elements. If a program does not fit, and exceeds the "
           "memory by fewer bytes without such copies, the engine compiles the program as with false")));
  rows.push_back(
      accepted(flag("opt.useAutoloader", "true", "nothing is loaded over links; loading takes no modelled time")));
  rows.push_back(accepted(text("opt.limitVertexStateToLower256K", "", "the layout has no such limit")));
  rows.push_back(accepted(text("opt.enableInlining", "", "a Call is never replaced by the body of the function")));
  rows.push_back(compiled(
      text("opt.maxCopyMergeSize", "",
           "The largest number of bytes that one merged copy may move; 0 = merge no copies, empty or -1 = no limit. "
           "The limit applies to copies within the device and, with popscope.hostCopies = merged, to host copies")));
  rows.push_back(accepted(text(
      "opt.maxComputeSetsPerLoweredCopy", "",
      "a copy between tensors becomes at most two exchanges (within IPUs and between IPUs) and two compute sets")));
  rows.push_back(accepted(text("opt.enableSwSyncs", "", "barriers have the cost of the modelled hardware")));
  rows.push_back(
      accepted(text("exchange.multicastPolicy", "", "a message that several tiles need is always sent once")));
}

void addCompilerOptions(std::vector<OptionRow> &rows) {
  rows.push_back(
      choice("exchange.streamBufferOverlap", {"any", "hostRearrangeOnly", "none"}, "any",
             "any: the engine prefetches no stream ahead of its transfer, as if the host buffers of streams shared "
             "memory. hostRearrangeOnly, none: the engine can prefetch a stream ahead of its transfer"));
  rows.push_back(flag("exchange.enablePrefetch", "true",
                      "Call the function prefetch of stream callbacks. If exchange.streamBufferOverlap is not any, the "
                      "engine calls prefetch before the transfer is due"));
  rows.push_back(flag("popscope.recordEveryExecution", "false",
                      "Record the start and the cycles of every execution of every step (simulator_executions in the "
                      "profile), at any level of instrumentation"));
  rows.push_back(number("popscope.sampleMemory", "0", "steps", kMost64,
                        "In recorded runs, sample the live memory each time this number of liveness steps has run "
                        "(memory_samples in the profile); 0 = never"));
  rows.push_back(
      number("popscope.sampleHost", "0", "ms", 3600000,
             "At this interval, sample the resources that the process uses on its host, as long as the engine exists "
             "(host_samples in the profile, counters of traces); 0 = never"));
  rows.push_back(
      text("popscope.sampleHostMetrics", "cpu,memory",
           "The resources that popscope.sampleHost samples: some of cpu, memory and disk, separated by commas"));
  rows.push_back(
      compiled(flag("popscope.recordCompilePhases", "false",
                    "Record wall time, CPU time and memory of each phase of the compilation (compile_phases in the "
                    "profile; popscope info --compile). These figures differ from compilation to compilation")));
  rows.push_back(compiled(text("popscope.dump", "",
                               "After these passes of lowering, write the program to autoReport.directory, as text "
                               "(steps-NN-PASS.txt). The value is, for example, after:MergeCopies, "
                               "after:MergeStreams,MergeCopies or after:all")));
  rows.push_back(choice(
      "popscope.values", {"computed", "skipped"}, "computed",
      "computed: a run computes values. skipped: a run only counts time: the run computes no values, moves no data and "
      "calls no callback. With skipped, each vertex needs an estimate, and control flow must not depend on values"));
  rows.push_back(compiled(
      choice("popscope.scheduler", {"code", "table"}, "code",
             "How a tile starts the vertices of a compute set: by code for each vertex, or by a loop over a table")));
  rows.push_back(compiled(flag("popscope.alwaysSwitch", "true",
                               "Begin each run with the control copies and the broadcast of the program's number, as "
                               "devices do, even if the engine has only one program")));
  rows.push_back(compiled(choice("popscope.hostCopies", {"apart", "merged"}, "apart",
                                 "Whether consecutive host copies of different streams in the same direction are "
                                 "separate steps, or one step with one set of syncs")));
  rows.push_back(compiled(
      choice("popscope.elideCopies", {"machine", "false", "true"}, "machine",
             "Drop copies that only give elements another name on the same tile, such as copies of function arguments. "
             "machine: drop these copies only if the field /rules/renamingCopies of the machine is \"gone\"")));
  rows.push_back(compiled(number(
      "popscope.tryAdvice", "0", "compilations", 10000,
      "Compile the program again, at most this number of times, each time with changes that may save memory, and write "
      "the results to the profile, for popscope advise and popscope fit. Most programs need at most 64 compilations")));
  rows.push_back(compiled(text("popscope.applyAdvice", "",
                               "Compile the program with these changes of mappings, WriteUndefs and options: a JSON "
                               "array, or a file that contains such an array (popscope fit --write writes such a "
                               "file). The values that the program computes stay the same")));
  rows.push_back(compiled(text("target.workerStackSizeInBytes", "",
                               "Bytes of each worker's stack: a multiple of 8, at most 1048576, decimal or 0x...; "
                               "empty or 0 = the value of debug.workerStackSizeInBytes, or else the machine's size")));
  rows.push_back(
      compiled(text("target.supervisorStackSizeInBytes", "",
                    "Bytes of the supervisor's stack: a multiple of 8, at most 1048576, decimal or 0x...; "
                    "empty or 0 = the value of debug.supervisorStackSizeInBytes, or else the machine's size")));
  addRuntimeOptions(rows);
  addBlockOptions(rows);
  addOptimiserOptions(rows);
}

OptionTable makeTable() {
  std::vector<OptionRow> rows;
  addReportOptions(rows);
  addDebugOptions(rows);
  addCompilerOptions(rows);
  return OptionTable("engine", std::move(rows), "popscope options");
}

} // namespace

const OptionTable &engineOptionTable() {
  static const OptionTable table = makeTable();
  return table;
}

} // namespace popscope
