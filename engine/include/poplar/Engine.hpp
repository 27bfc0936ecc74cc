// Engine: compiles a graph's programs, loads the programs on a device, runs the programs, and reports profiles.
//
// Options come from the constructor and from the environment variables POPLAR_RUNTIME_OPTIONS and POPLAR_ENGINE_OPTIONS
// (JSON objects). The environment overrides the constructor, and POPLAR_ENGINE_OPTIONS overrides
// POPLAR_RUNTIME_OPTIONS. docs/OPTIONS.md lists all options, and docs/CONFIGURATION.md describes settings from outside
// the program.
#ifndef poplar_Engine_hpp
#define poplar_Engine_hpp

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/Module.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/StreamCallback.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TypeConversion.hpp> // for programs that convert halves and quarters
#include <poplar/exceptions.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace pva {
class Report;
}

namespace popscope {
struct ScopeStack;
namespace profile {
class Scope;
}
} // namespace popscope

namespace poplar {

class RuntimeOptions; // <poplar/RuntimeOptions.hpp>

/// A function that the compiler calls after each stage of the compilation. The arguments are the number of finished
/// stages and the number of all stages.
using ProgressFunc = std::function<void(int, int)>;

/// Compiles without a device. Throws the exceptions of the Engine constructor.
Executable compileGraph(const Graph &graph, ArrayRef<program::Program> progs, const OptionFlags &opt = {},
                        ProgressFunc progressCallBack = ProgressFunc(), const DebugContext &debugContext = {});

/// Compiles without a device. If `checkOptionFlags` is false, ignores unknown options in `opt`. A bad value of a known
/// option still causes invalid_option.
Executable compileGraph(const Graph &graph, ArrayRef<program::Program> progs, bool checkOptionFlags,
                        const OptionFlags &opt = {}, ProgressFunc progressCallBack = ProgressFunc(),
                        const DebugContext &debugContext = {});
/// Compiles one program as a module. Throws the exceptions of compileGraph. Also throws control_program_error if the
/// program uses streams, remote buffers or host functions.
Module compileModule(const Graph &graph, program::Program prog, const OptionFlags &opt = {},
                     ProgressFunc progressCallBack = ProgressFunc(), const DebugContext &debugContext = {});

class Engine {
public:
  using ProgressFunc = std::function<void(int, int)>;
  using TimerTimePoint = std::chrono::time_point<std::chrono::steady_clock>;

  /// Compiles a graph. Throws invalid_option for an unknown option or a bad value. For a graph that cannot be compiled,
  /// throws invalid_tile_mapping, graph_connection_error or a similar exception. Throws stream_memory_allocation_error
  /// if one transfer of a stream of an IPU device has more than 128 MiB. If a tile's memory overflows, throws
  /// graph_memory_allocation_error. If the only cause of the overflow is a demand for different memory elements, such
  /// as elem(*a) != elem(*b), throws memory_elem_constraints_error instead. Does not throw these two exceptions if
  /// debug.allowOutOfMemory is "true". If debug.allowOutOfMemory is not set, an engine for an IPU Model without code
  /// (IPUModel::compileIPUCode = false) only prints a warning.
  Engine(const Graph &graph, ArrayRef<program::Program> progs, const OptionFlags &opt = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext &debugContext = {});
  Engine(const Graph &graph, program::Program prog, const OptionFlags &opt = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext &debugContext = {});
  explicit Engine(Executable &&executable, const OptionFlags &opt = {});
  /// Makes an engine for an executable. Several engines may run the same executable. Throws poplar_error for an empty
  /// executable. Throws the exceptions about options and memory that the first constructor throws.
  explicit Engine(const Executable &executable, const OptionFlags &opt = {});
  Engine(Engine &&) noexcept;
  Engine &operator=(Engine &&) noexcept;
  ~Engine();

  void prepare(const Device &device); // does the whole work of load()
  /// Prepares the engine, and uses `options` in the following runs in place of the engine's own run options. An option
  /// that `options` does not set has the engine's value. Only target.hostSyncTimeout has an effect.
  void prepare(const Device &device, const RuntimeOptions &options);
  void deploy(); // does nothing; throws poplar_error if called before prepare
  /// Calls prepare and deploy: sets the device's memory to the graph's initial values. Throws poplar_error if the graph
  /// was compiled for a machine other than the machine of the device.
  void load(const Device &device);
  /// Runs program `prog` to its end. `debugName` names the run in the profile. Throws poplar_error if the program does
  /// not exist, or if neither prepare nor load was called. Throws stream_connection_error if nothing is connected to a
  /// stream or a host function that the program uses. Throws application_runtime_error if the program aborts, for
  /// example by AbortOnCondition; then the engine can run again. Also throws application_runtime_error if a codelet
  /// fails; in this case, load the engine again before the next run. While the engine runs a program, these functions
  /// throw application_runtime_error: prepare(), load(), run(), stop(), the functions that read or write tensors, and
  /// resetExecutionProfile(). For example, a callback of the run cannot call them.
  void run(unsigned prog = 0, const std::string &debugName = "");
  /// Runs a program, and uses `options` for this run only. An option that `options` does not set has the value that
  /// prepare() received. If prepare() received no value, the option has the engine's value.
  void run(unsigned prog, const std::string &debugName, const RuntimeOptions &options);
  /// Drops the data that the engine prefetched from callbacks. Ends no program, because each program ends before run()
  /// returns. The engine can run again. Throws poplar_error if neither prepare nor load was called.
  void stop();
  void stop(const RuntimeOptions &options);
  void loadAndRun(const Device &device, unsigned prog = 0, const std::string &debugName = "");

  /// Reads or writes a tensor by the handle of Graph::createHostRead or createHostWrite. A buffer contains the elements
  /// of all replicas, one replica after the other. The elements of a replica are in the row-major order of the tensor.
  /// Throws stream_connection_error for an unknown handle, or for a null pointer if the tensor is not empty. The
  /// overloads with two pointers also throw stream_connection_error if the buffer is too small for these elements, or
  /// if `bufEnd` is before `buf`. Throws poplar_error if neither prepare nor load was called.
  void readTensor(StringRef handle, void *buf, void *bufEnd);
  void readTensor(StringRef handle, void *buf);
  void writeTensor(StringRef handle, const void *buf, const void *bufEnd);
  void writeTensor(StringRef handle, const void *buf);
  /// Reads or writes the metadata of a tensor of quarters in addition to its elements. All replicas get the same
  /// metadata. If the metadata is a constant of the graph, writeTensor throws poplar_error for metadata that differs
  /// from this constant. Throws stream_connection_error if the tensor has no metadata. readTensor throws poplar_error
  /// if the metadata of replicas differ. If a function of this group throws, neither metadata nor elements change.
  void readTensor(StringRef handle, QuarterMetadata &metadata, void *buf, void *bufEnd);
  void writeTensor(StringRef handle, const QuarterMetadata &metadata, const void *buf, const void *bufEnd);
  template <class T> void readTensor(StringRef handle, gccs::ArrayRef<T> buf) {
    readTensor(handle, const_cast<T *>(buf.data()), const_cast<T *>(buf.data() + buf.size()));
  }
  template <class T> void writeTensor(StringRef handle, gccs::ArrayRef<T> buf) {
    writeTensor(handle, buf.data(), buf.data() + buf.size());
  }

  /// Connects host memory to a stream. The buffer is a ring of blocks of one transfer each. Transfer k of replica r
  /// uses block k * replicas + r (for a BROADCAST stream, block k), modulo the number of blocks. The memory must stay
  /// valid while programs that use the stream run. Throws stream_connection_error for an unknown handle, or for a null
  /// pointer if the transfer is not empty. The buffer must hold one or more whole transfers of all replicas (for a
  /// BROADCAST stream, one or more whole transfers). Throws stream_connection_error for any other size.
  void connectStream(StringRef handle, void *begin, void *end);
  void connectStream(const DataStream &stream, void *begin, void *end);
  /// Connects a buffer that holds exactly one transfer of each replica (for a BROADCAST stream, exactly one transfer).
  /// Throws stream_connection_error for an unknown handle, or for a null pointer if the transfer is not empty.
  void connectStream(StringRef handle, void *p);
  void connectStream(const DataStream &stream, void *p);
  template <class T> void connectStream(StringRef handle, const gccs::ArrayRef<T> &buf) {
    connectStream(handle, const_cast<T *>(buf.data()), const_cast<T *>(buf.data() + buf.size()));
  }
  /// Connects a callback. Without `index`, the callback serves all replicas, in ascending order of their numbers. For a
  /// BROADCAST stream, the callback provides each block once for all replicas. A program that copies from a stream at
  /// an offset needs a connected buffer: if a callback is connected to the stream, run() throws
  /// stream_connection_error. connectStreamToCallback() throws stream_connection_error for an unknown handle, an
  /// unknown replica `index` or an empty callback. A callback may connect its own stream again; the new connection
  /// serves the next transfer.
  void connectStreamToCallback(StringRef handle, StreamCallbackHandle f);
  void connectStreamToCallback(const DataStream &stream, StreamCallbackHandle f);
  void connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle f);
  void connectStreamToCallback(const DataStream &stream, unsigned index, StreamCallbackHandle f);
  /// Connects a callback to a host function of one replica. The engine calls the callback when a program calls the host
  /// function. Throws stream_connection_error for an unknown handle, an unknown replica `index` or an empty callback.
  void connectHostFunction(StringRef handle, unsigned index, HostCallbackHandle f);
  void connectHostFunction(const HostFunction &function, unsigned index, HostCallbackHandle f);
  /// Copies row `repeatIndex` between host memory and a remote buffer. Throws stream_connection_error for an unknown
  /// buffer or an unknown replica, and for a null pointer if the row is not empty. Throws application_runtime_error if
  /// the buffer has no row `repeatIndex`, and poplar_error if the caller passed a negative `repeatIndex`. The overloads
  /// with an array also throw stream_connection_error if the array does not have the size of a row. Other threads may
  /// copy rows or run the engine at the same time: no copy sees a row that another copy has changed only in part.
  void copyFromRemoteBuffer(const RemoteBuffer &buffer, void *w, std::uint64_t repeatIndex,
                            unsigned replicationIndex = 0);
  void copyFromRemoteBuffer(StringRef handle, void *w, std::uint64_t repeatIndex, unsigned replicationIndex = 0);
  void copyToRemoteBuffer(void *w, const RemoteBuffer &buffer, std::uint64_t repeatIndex,
                          unsigned replicationIndex = 0);
  void copyToRemoteBuffer(void *w, StringRef handle, std::uint64_t repeatIndex, unsigned replicationIndex = 0);
  template <class T>
  void copyFromRemoteBuffer(StringRef handle, gccs::ArrayRef<T> w, std::uint64_t repeatIndex,
                            unsigned replicationIndex = 0) {
    requireRow(handle, w.size() * sizeof(T));
    copyFromRemoteBuffer(handle, const_cast<T *>(w.data()), repeatIndex, replicationIndex);
  }
  template <class T>
  void copyToRemoteBuffer(gccs::ArrayRef<T> w, StringRef handle, std::uint64_t repeatIndex,
                          unsigned replicationIndex = 0) {
    requireRow(handle, w.size() * sizeof(T));
    copyToRemoteBuffer(const_cast<T *>(w.data()), handle, repeatIndex, replicationIndex);
  }

  /// Prints a summary of the memory and execution profile. Options: showVarStorage, showExecutionSteps,
  /// showOptimizations, showPerIpuMemoryUsage, executionSummaryStyle ("total" or "average"), colours ("true" or
  /// "false"). By default, the summary has colours if the stream is a terminal that supports colours (TERM) and
  /// NO_COLOR is not set. CLICOLOR_FORCE=1 and CLICOLOR=0 override the option and the default. For a CPU target, prints
  /// only the target.
  void printProfileSummary(std::ostream &out, const OptionFlags &opt = {});
  /// Returns a report on the profile of this engine. The report also shows runs that follow its creation, and stays
  /// valid after the engine is destroyed. If `reportExecution` is false, the report has no runs. Throws
  /// profiling_disabled on a CPU target.
  pva::Report getReport(bool reportExecution = true);
  /// Returns the profile as trees with the keys of Poplar 1.x. getProfile() contains both trees, as "graphProfile" and
  /// "executionProfile". Units are bytes and cycles. Values per tile are vectors over the tiles of one replica. A
  /// returned reference is valid until the next call of one of these functions. Throws profiling_disabled on a CPU
  /// target.
  ProfileValue getProfile();
  const ProfileValue &getGraphProfile();
  const ProfileValue &getExecutionProfile();
  /// Writes a CSV file with a heading. Each recorded step has one row per IPU. The row contains the number of active
  /// tiles, and the first cycle, the last cycle and the busy cycles of these tiles. If no tile is active, the row
  /// contains the first and the last cycle of all tiles. Cells of unknown cycles are empty. Throws profiling_disabled on
  /// a CPU target.
  void reportIntervals(std::ostream &out);
  /// Starts or stops the recording of the runs that follow. pva::ExecutionReport::pausedSpans() lists the runs that
  /// were not recorded. To select runs by C++ scope, use popscope::profile::Scope.
  void enableExecutionProfiling();
  void disableExecutionProfiling();
  /// Removes the runs and blocks so far from the reports of this engine. Sets each program's count of recorded runs to
  /// 0; autoReport.executionProfileProgramRunCount limits this count. A profile file (autoReport) keeps the earlier
  /// runs, and also receives the later runs. The numbers of the later runs continue the numbers of the earlier runs.
  void resetExecutionProfile();

  /// Sets the stream of PrintTensor; the default is standard error. The stream must outlive the engine's runs.
  void setPrintStream(std::ostream &stream);
  void setPrintTensorStream(std::ostream &stream);
  /// Returns the current time of the clock that reportTiming uses.
  TimerTimePoint getTimeStamp();
  /// Prints a time in milliseconds to standard error. The first function prints the name of `debugContext` and the time
  /// since `start`. The second function prints the time from `start` to `end`.
  void reportTiming(const TimerTimePoint &start, const DebugContext &debugContext = {});
  void reportTiming(const TimerTimePoint &start, const TimerTimePoint &end);

  /// Returns the handles of the streams that programs of this engine can use, in the order in which the streams were
  /// created.
  std::vector<std::string> getStreamHandles() const;
  std::vector<std::string> listStreams() const { return getStreamHandles(); }
  /// Writes the same bytes as Executable::serialize, for the executable that this engine runs.
  void serializeExecutable(std::ostream &out) const;
  /// Returns the options that the constructor, a configuration or the environment sets. If several sources set an
  /// option, the option has the value of the source with the highest precedence (docs/CONFIGURATION.md lists the
  /// order).
  OptionFlags getEngineOptions() const;

private:
  friend class popscope::profile::Scope; // <popscope/profile.hpp>
  std::shared_ptr<popscope::ScopeStack> scopes() const;
  void requireRow(StringRef remoteBuffer, std::size_t bytes) const;
  class Impl;
  Impl &impl() const; // throws poplar_error for an engine that was moved from
  std::shared_ptr<Impl> impl_;
};

/// Size of a worker's scratch memory in bytes.
constexpr unsigned WORKER_SCRATCH_SIZE = 48;

/// Prints the summary of a saved profile (profile.pop). Takes the options of Engine::printProfileSummary. Throws
/// file_load_error if the file cannot be read; the message contains the path.
void printProfileSummary(std::ostream &out, const std::string &profilePath, const OptionFlags &opt = {});
// The next three functions print summaries of the trees that Engine::getGraphProfile and getExecutionProfile return.
// These functions take the options of Engine::printProfileSummary. Each tree contains its profile under the key
// popscope.profile; for a tree without a profile, these functions throw poplar_error.
/// Prints the part of the summary before "Execution:".
void printGraphSummary(std::ostream &out, const ProfileValue &graphProfile, const OptionFlags &opt = {});
/// Prints the part of the summary from "Execution:" on. Reads only `executionProfile`.
void printExecutionSummary(std::ostream &out, const ProfileValue &graphProfile, const ProfileValue &executionProfile,
                           const OptionFlags &opt = {});
/// Prints both parts of the summary.
template <class Tree> // a template, so that a path never converts to a tree
typename std::enable_if<std::is_same<Tree, ProfileValue>::value>::type
printProfileSummary(std::ostream &out, const Tree &graphProfile, const ProfileValue &executionProfile,
                    const OptionFlags &opt = {}) {
  printGraphSummary(out, graphProfile, opt);
  out << '\n';
  printExecutionSummary(out, graphProfile, executionProfile, opt);
}

} // namespace poplar

#endif
