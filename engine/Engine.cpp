// The facade: the only module that uses all other modules. The facade connects the stages, and turns their results into
// exceptions.
#include <poplar/Engine.hpp>

#include "base/AtEnd.hpp"
#include "base/Check.hpp"
#include "base/CheckedSize.hpp"
#include "base/EditDistance.hpp"
#include "base/LongWork.hpp"
#include "base/PublicTypes.hpp"
#include "base/ShownText.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "engine/compile/Compile.hpp"
#include "engine/compile/CompilePhases.hpp"
#include "engine/compile/RequireMachine.hpp"
#include "engine/compile/WriteFiles.hpp"
#include "engine/executable/ExecutableFile.hpp"
#include "engine/host/HostSide.hpp"
#include "engine/legacy/LegacyProfile.hpp"
#include "engine/session/EngineProfile.hpp"
#include "engine/session/TraceChannel.hpp"
#include "engine/settings/CheckSettings.hpp"
#include "engine/settings/Settings.hpp"
#include "engine/settings/SummaryRequest.hpp"
#include "graph/api/Estimates.hpp"
#include "graph/api/GraphAccess.hpp"
#include "instrument/machine/Machine.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"
#include "target-models/model/PublicTarget.hpp"

#include <poplar/RuntimeOptions.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>

namespace popscope {
namespace {

/// The maximum bytes of one stream on an IPU, as Poplar documents it.
constexpr std::uint64_t kMaxStreamBytes = std::uint64_t(128) << 20;

void checkStreams(const CompiledProgram &compiled) {
  if (compiled.machine.kind != DeviceKind::Ipu)
    return;
  for (const StreamInfo &stream : compiled.program.streams)
    if (const std::uint64_t bytes = stream.elements * elementBytes(stream.type);
        stream.kind == StreamInfo::Kind::Fifo && bytes > kMaxStreamBytes)
      throw poplar::stream_memory_allocation_error(fmt::format(
          "stream '{}' transfers {} bytes at a time ({} elements of {}); an IPU has buffers of at most {} bytes (128 "
          "MiB): transfer less at a time, in several copies",
          stream.handle, bytes, stream.elements, elementTypeName(stream.type), kMaxStreamBytes));
}

std::shared_ptr<CompiledProgram> compileWith(const poplar::Graph &graph,
                                             poplar::ArrayRef<poplar::program::Program> programs,
                                             EngineSettings settings, const std::function<void(int, int)> &progress,
                                             CompilePhases &phases) {
  if (machineOf(graph.getTarget()).kind == DeviceKind::Cpu)
    for (WarningRecord &w : settingsWithoutEffectOnCpu(settings))
      settings.warnings.push_back(std::move(w));
  sayWarnings(settings.warnings);
  std::vector<ProgramPtr> nodes;
  for (const poplar::program::Program &p : programs)
    nodes.push_back(nodeOf(p));
  {
    const Phase phase(&phases, "files of the graph");
    writeGraphFiles(settings, graph, programs);
  }
  const VertexEstimates estimates = [&] {
    const Phase phase(&phases, "estimates of vertices");
    return estimateVertices(graph, Threads{settings.compilationThreads});
  }();
  auto compiled = compileProgram(irOf(graph), nodes, estimates, std::move(settings), progress, &phases);
  compiled->linkOptions = linkOptionsOf(graph.getTarget());
  checkStreams(*compiled);
  writeLoweredVariables(*compiled);
  return compiled;
}

std::shared_ptr<CompiledProgram> compileFor(const poplar::Graph &graph,
                                            poplar::ArrayRef<poplar::program::Program> programs,
                                            const poplar::OptionFlags &options,
                                            const std::function<void(int, int)> &progress,
                                            const poplar::DebugContext &debugContext) {
  EngineSettings settings = readSettings(options);
  settings.files.subfolder = debugContext.getPathName();
  if (machineOf(graph.getTarget()).kind != DeviceKind::Cpu && settings.writesProfile())
    beginHostTrace(readSession());
  CompilePhases phases(traceChannel(), settings.files.compilePhases);
  int done = 0, all = 1;
  LongWork bar([&](ProgressBar &on, std::chrono::seconds seconds) {
    on.show(fmt::format("stages of the compilation, {} s", seconds.count()), static_cast<std::uint64_t>(done),
            static_cast<std::uint64_t>(all));
  });
  const auto ticked = [&](int doneNow, int allNow) {
    done = doneNow;
    all = allNow;
    if (progress) {
      bar.clear(); // the user's function may print
      progress(doneNow, allNow);
    }
  };
  std::shared_ptr<CompiledProgram> compiled;
  {
    const Phase whole(&phases, "compile");
    compiled = compileWith(graph, programs, std::move(settings), ticked, phases);
  }
  compiled->phasesBegan = phases.began();
  compiled->phases = phases.take();
  return compiled;
}

/// Returns whether the engine refuses a program that does not fit. A model without code serves to study memory, so the
/// engine refuses no program on such a model unless the user sets debug.allowOutOfMemory to false.
bool mustFit(const CompiledProgram &compiled, const EngineSettings &settings) {
  return !settings.allowOutOfMemory &&
         (hasCode(compiled.machine) || compiled.machine.kind == DeviceKind::Cpu || settings.outOfMemoryChosen);
}

/// Throws the exception of a program that does not fit. Completes the profile, whose path the exception contains.
[[noreturn]] void throwOutOfMemory(const CompiledProgram &compiled, EngineProfile &profile) {
  poplar::ProfileValue graphProfile, executionProfile;
  if (compiled.machine.kind != DeviceKind::Cpu) {
    const std::shared_ptr<PopFile> file = profile.file();
    graphProfile = graphProfileTree(compiled.record, *file);
    executionProfile = executionProfileTree(pva::makeReport(file, true), *file);
  }
  const std::string profilePath = profile.finish();
  if (const std::string apart = describeApart(compiled); !apart.empty())
    throw poplar::memory_elem_constraints_error(
        apart + (profilePath.empty() ? "" : "\nProfile saved to: " + shownText(profilePath)));
  poplar::graph_memory_allocation_error error(
      describeOutOfMemory(compiled, profilePath) +
          "\nSet the engine option debug.allowOutOfMemory to \"true\" to get a profile of the whole program all the "
          "same" +
          (compiled.settings.advice.trials != 0
               ? "."
               : ", or popscope.tryAdvice to \"64\" to search for changes that make it fit."),
      graphProfile, executionProfile);
  error.profilePath = profilePath;
  throw error;
}

/// Returns the options that the table of engine options contains.
poplar::OptionFlags knownOptions(const poplar::OptionFlags &options) {
  poplar::OptionFlags known;
  for (const auto &option : options)
    if (engineOptionTable().find(option.first) != nullptr)
      known.set(option.first, option.second);
  return known;
}

/// Returns the bytes from `begin` to `end`. Throws stream_connection_error for null or reversed pointers.
std::size_t rangeOf(const void *begin, const void *end, const char *what, const std::string &handle) {
  const auto bytes = checkedRange(begin, end);
  if (!bytes)
    throw poplar::stream_connection_error(fmt::format(
        "{} '{}' {}; give the first byte and the one past the last", what, handle,
        begin == nullptr || end == nullptr ? "begins or ends with a null pointer" : "ends before it begins"));
  return *bytes;
}

} // namespace
} // namespace popscope

namespace poplar {

using popscope::CompiledProgram;
using popscope::EngineProgram;
using popscope::EngineSettings;

namespace {

/// One call that uses the machine of an engine. While the object exists, other calls are refused: a callback of a run, or
/// another thread, must not change what the run uses.
class MachineUse {
public:
  /// Throws application_runtime_error if the machine is in use. `attempt` is the beginning of the message.
  MachineUse(std::atomic<bool> &used, const char *attempt) : used_(used) {
    if (used_.exchange(true))
      throw application_runtime_error(
          std::string(attempt) +
          " while the engine runs a program: a stream callback or a host function of that program called the engine, "
          "or another thread did. Call it after Engine::run has returned.");
  }
  ~MachineUse() { used_ = false; }
  MachineUse(const MachineUse &) = delete;
  MachineUse &operator=(const MachineUse &) = delete;

private:
  std::atomic<bool> &used_;
};

} // namespace

class Engine::Impl {
public:
  Impl(std::shared_ptr<const CompiledProgram> compiled, EngineSettings settings)
      : compiled_(std::move(compiled)), settings_(std::move(settings)), costs_(compiled_->machine),
        host_(compiled_->program, compiled_->printFormats, settings_.prefetch), profile_(compiled_, settings_) {
    const auto &programs = compiled_->program.programs;
    for (std::uint32_t i = 0; i < programs.size(); ++i)
      indices_.emplace(std::pair(programs[i].kind, programs[i].handle), i); // if two programs have the same handle, the
                                                                            // first one counts
    if (compiled_->layout.tilesOutOfMemory.empty() || settings_.allowOutOfMemory ||
        compiled_->settings.allowOutOfMemory)
      return;
    if (popscope::mustFit(*compiled_, settings_))
      popscope::throwOutOfMemory(*compiled_, profile_);
    const std::string apart = popscope::describeApart(*compiled_);
    std::cerr << "popscope: warning: " << (apart.empty() ? popscope::describeOutOfMemory(*compiled_, "") : apart)
              << "\nThe run continues, because this IPU Model has no code (IPUModel::compileIPUCode = false).\n";
  }

  /// `runtime` holds until the engine is loaded with other options. Without `runtime`, the present options stay.
  void load(const Device &device, const RuntimeOptions *runtime = nullptr) {
    const MachineUse use(used_, "The engine cannot be loaded");
    const pvti::Tracepoint trace(&popscope::traceChannel(), "load");
    const popscope::PrefetchPolicy policy =
        runtime == nullptr ? host_.policy() : policyWith(*runtime, settings_.prefetch);
    popscope::requireSameMachine(*compiled_, device.getTarget());
    auto machine = std::make_unique<popscope::Machine>(compiled_->program, compiled_->codelets, costs_,
                                                       machineOptions(device.getTarget()));
    if (machine_) // the profile continues
      machine->takeRecords(std::move(*machine_));
    machine_ = std::move(machine);
    host_.setPolicy(policy);
  }

  void deploy() const { requireLoaded("deploy"); } // load has done everything

  /// `runtime` holds for this run only.
  void run(unsigned prog, const std::string &name, const RuntimeOptions *runtime = nullptr) {
    const unsigned users = userPrograms();
    if (prog >= users)
      throw poplar_error(fmt::format("Engine::run({}): the engine has {} program(s), numbered from 0", prog, users));
    requireLoaded("run");
    const MachineUse use(used_, "The program cannot run"); // before anything of this run is recorded
    const pvti::Tracepoint trace(&popscope::traceChannel(),
                                 name.empty() ? fmt::format("run {}", prog) : fmt::format("run {}: {}", prog, name));
    const popscope::AtEnd policy([this, before = host_.policy()] { host_.setPolicy(before); });
    if (runtime != nullptr)
      host_.setPolicy(policyWith(*runtime, host_.policy()));
    const popscope::AtEnd end([this] { endOnHost(); });
    popscope::LongWork bar([this, prog](popscope::ProgressBar &on, std::chrono::seconds seconds) {
      const popscope::Machine::Progress progress = machine_->progress();
      const std::string what = fmt::format("steps of program {}, {} s", prog, seconds.count());
      if (progress.all)
        on.show(what, std::min(progress.steps, *progress.all), *progress.all);
      else
        on.show(fmt::format("{} {}", progress.steps, what));
    });
    const popscope::AtEnd shown([this, before = host_.setBar(&bar)] { host_.setBar(before); });
    profile_.run(*machine_, prog, name, host_);
  }

  void stop() {
    requireLoaded("stop");
    const MachineUse use(used_, "The engine cannot be stopped");
    host_.endRun();
  }

  void requireRow(const std::string &handle, std::size_t bytes) const {
    if (const std::size_t row = host_.remoteRowBytes(handle); row != bytes)
      throw stream_connection_error(fmt::format(
          "the array for remote buffer '{}' has {} bytes, and a row has {}; pass an array with the bytes of one row",
          handle, bytes, row));
  }

  void hostRead(const std::string &handle, void *buf, std::optional<std::size_t> bytes) {
    const pvti::Tracepoint trace(&popscope::traceChannel(), "readTensor " + handle);
    const auto [index, stream] = findAccess(EngineProgram::Kind::HostRead, handle, buf, bytes);
    const MachineUse use(used_, "The tensor cannot be read");
    host_.setHostBuffer(stream, buf, nullptr);
    machine_->run(index, "", host_, nullptr);
  }
  void hostWrite(const std::string &handle, const void *buf, std::optional<std::size_t> bytes) {
    const pvti::Tracepoint trace(&popscope::traceChannel(), "writeTensor " + handle);
    const auto [index, stream] = findAccess(EngineProgram::Kind::HostWrite, handle, buf, bytes);
    const MachineUse use(used_, "The tensor cannot be written");
    host_.setHostBuffer(stream, nullptr, buf);
    machine_->run(index, "", host_, nullptr);
  }
  void hostRead(const std::string &handle, QuarterMetadata &metadata, void *buf, std::size_t bytes) {
    (void)findAccess(EngineProgram::Kind::HostRead, handle, buf, bytes);
    const QuarterMetadata value = readMetadata(handle, popscope::metadataHandle(handle));
    hostRead(handle, buf, bytes);
    metadata = value;
  }
  void hostWrite(const std::string &handle, const QuarterMetadata &metadata, const void *buf, std::size_t bytes) {
    (void)findAccess(EngineProgram::Kind::HostWrite, handle, buf, bytes);
    const std::string written = popscope::metadataHandle(handle);
    if (const auto access = findIndex(EngineProgram::Kind::HostWrite, written)) {
      const std::vector<unsigned char> all(accessBytes(compiled_->program.programs[*access].stream),
                                           metadata.getBinary());
      hostWrite(written, all.data(), all.size());
    } else if (const auto constant = readMetadata(handle, popscope::constantMetadataHandle(handle));
               constant != metadata) {
      throw poplar_error(fmt::format("writeTensor '{}': the metadata {} cannot be written, because the graph has the "
                                     "constant metadata {}; pass this metadata, or create the metadata of the tensor "
                                     "with createVariableMetadataTensor",
                                     handle, metadata.toString(), constant.toString()));
    }
    hostWrite(handle, buf, bytes);
  }

  void remoteCopy(const std::string &handle, void *host, std::uint64_t row, unsigned replica, bool toDevice) {
    const pvti::Tracepoint trace(&popscope::traceChannel(),
                                 (toDevice ? "copyToRemoteBuffer " : "copyFromRemoteBuffer ") + handle);
    if (const auto given = static_cast<std::int64_t>(row); given < 0) // the caller passed a negative int
      throw poplar_error(fmt::format("row {} of remote buffer '{}': rows are numbered from 0", given, handle));
    host_.copyRemoteRow(handle, row, replica, host, toDevice);
  }

  const ProfileValue &graphProfile() {
    requireProfile();
    if (!graphProfile_)
      graphProfile_ = popscope::graphProfileTree(compiled_->record, *profile_.file());
    return *graphProfile_;
  }
  const ProfileValue &executionProfile() {
    requireProfile();
    const auto file = profile_.file();
    executionProfile_ = popscope::executionProfileTree(pva::makeReport(file, true), *file);
    return *executionProfile_;
  }
  void requireProfile() const {
    if (compiled_->machine.kind == popscope::DeviceKind::Cpu)
      throw profiling_disabled("a CPU target has no profile: use an IPUModel device to get one");
  }

  void resetExecutionProfile() {
    const MachineUse use(used_, "The execution profile cannot be reset");
    profile_.resetExecution();
  }

  popscope::HostSide &host() { return host_; }
  popscope::EngineProfile &profile() { return profile_; }
  const CompiledProgram &compiled() const { return *compiled_; }
  const EngineSettings &settings() const { return settings_; }

private:
  void endOnHost() {
    try {
      host_.endRun();
    } catch (const std::exception &e) { // from the user's callback; the result of the run itself matters more
      std::cerr << "Popscope: a stream callback failed when its prefetched data were dropped: " << e.what() << '\n';
    }
  }
  /// Returns `policy` with the values that `options` sets.
  static popscope::PrefetchPolicy policyWith(const RuntimeOptions &options, popscope::PrefetchPolicy policy) {
    const EngineSettings given = popscope::readSettings(options.flags());
    if (popscope::isChosen(given, "target.hostSyncTimeout"))
      policy.patienceSeconds = given.prefetch.patienceSeconds;
    return policy;
  }
  [[nodiscard]] popscope::MachineOptions machineOptions(const Target &target) const {
    popscope::MachineOptions options;
    options.threads = {settings_.multiThread ? 0U : 1U};
    options.checkRaces = settings_.vertices.racesAndStrayWrites;
    options.vertexLimit = std::chrono::seconds(settings_.vertices.seconds);
    options.loopLimit = std::chrono::seconds(settings_.loopSeconds);
    options.values = settings_.values;
    // A device has counters for single vertices only if these counters were compiled; a model knows all cycles.
    const popscope::DeviceKind kind = popscope::machineOf(target).kind;
    const bool counts = kind == popscope::DeviceKind::Ipu;
    const EngineSettings &level = counts ? compiled_->settings : settings_;
    options.keepsVertexCycles =
        level.counterLevel == popscope::CounterLevel::Vertex && (!counts || level.instrumentCompute);
    options.countsCode = counts && settings_.values;
    const bool fp = settings_.registers.fpExceptions;
    options.fpControl = kind == popscope::DeviceKind::Cpu && !fp
                            ? 0
                            : target.makeFpIctlValue(fp, fp, fp, settings_.registers.stochasticRounding,
                                                     settings_.registers.nanOverflow);
    options.seed = settings_.registers.seed;
    return options;
  }
  std::uint32_t replicas() const { return std::max(1u, compiled_->program.replicationFactor); }
  unsigned userPrograms() const {
    return static_cast<unsigned>(
        std::ranges::count(compiled_->program.programs, EngineProgram::Kind::User, &EngineProgram::kind));
  }

  void requireLoaded(const char *what) const {
    if (!machine_)
      throw poplar_error(fmt::format("Engine::{} before Engine::load: load the engine on a device first", what));
  }

  /// Returns the bytes of the elements of a host access, on all replicas.
  std::size_t accessBytes(popscope::StreamId stream) const {
    const popscope::StreamInfo &info = compiled_->program.streams[stream];
    return replicas() * info.elements * popscope::elementBytes(info.type);
  }

  std::optional<std::uint32_t> findIndex(EngineProgram::Kind kind, const std::string &handle) const {
    const auto found = indices_.find({kind, handle});
    return found == indices_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Reads the metadata that belong to the tensor at `handle`.
  QuarterMetadata readMetadata(const std::string &handle, const std::string &handleOfMetadata) {
    const auto access = findIndex(EngineProgram::Kind::HostRead, handleOfMetadata);
    if (!access)
      throw stream_connection_error(fmt::format("the tensor of handle '{}' has no metadata; give its variable metadata "
                                                "in the graph, or use the form without metadata",
                                                handle));
    std::vector<unsigned char> all(accessBytes(compiled_->program.programs[*access].stream));
    hostRead(handleOfMetadata, all.data(), all.size());
    if (const auto other = std::find_if(all.begin(), all.end(), [&](unsigned char m) { return m != all.front(); });
        other != all.end())
      throw poplar_error(fmt::format("readTensor '{}': the replicas have different metadata ({} and {}); read '{}', "
                                     "which gives one byte for each replica",
                                     handle, QuarterMetadata(all.front()).toString(),
                                     QuarterMetadata(*other).toString(), handleOfMetadata));
    return QuarterMetadata(all.front());
  }

  std::pair<std::uint32_t, popscope::StreamId> findAccess(EngineProgram::Kind kind, const std::string &handle,
                                                          const void *buf, std::optional<std::size_t> bytes) const {
    const bool read = kind == EngineProgram::Kind::HostRead;
    requireLoaded(read ? "readTensor" : "writeTensor");
    const auto &programs = compiled_->program.programs;
    if (const auto index = findIndex(kind, handle)) {
      checkSize(handle, programs[*index].stream, buf, bytes);
      return {*index, programs[*index].stream};
    }
    std::vector<std::string> known;
    for (const EngineProgram &p : programs)
      if (p.kind == kind)
        known.push_back(p.handle);
    const std::string near = popscope::nearest(handle, known);
    throw stream_connection_error(fmt::format(
        "no {} handle '{}'{}; create it with Graph::{}", read ? "host read" : "host write", handle,
        near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), read ? "createHostRead" : "createHostWrite"));
  }

  void checkSize(const std::string &handle, popscope::StreamId stream, const void *buf,
                 std::optional<std::size_t> bytes) const {
    const popscope::StreamInfo &info = compiled_->program.streams[stream];
    const std::size_t need = accessBytes(stream);
    if (buf == nullptr && need != 0)
      throw stream_connection_error(
          fmt::format("the buffer for '{}' is a null pointer; the tensor needs {} bytes", handle, need));
    if (bytes && *bytes < need)
      throw stream_connection_error(fmt::format(
          "the buffer for '{}' has {} bytes, the tensor needs {} ({} x {}{})", handle, *bytes, need, info.elements,
          popscope::elementTypeName(info.type), replicas() == 1 ? "" : fmt::format(" x {} replicas", replicas())));
  }

  std::shared_ptr<const CompiledProgram> compiled_;
  EngineSettings settings_;
  popscope::CostModel costs_;
  popscope::HostSide host_;
  popscope::EngineProfile profile_;
  std::unique_ptr<popscope::Machine> machine_;
  std::map<std::pair<EngineProgram::Kind, std::string>, std::uint32_t> indices_; // in compiled_->program.programs
  std::atomic<bool> used_ = false; // a call uses machine_ and the host's side
  std::optional<ProfileValue> graphProfile_, executionProfile_;
};

Executable compileGraph(const Graph &graph, ArrayRef<program::Program> progs, const OptionFlags &opt,
                        ProgressFunc progressCallBack, const DebugContext &debugContext) {
  const auto compiled = popscope::compileFor(graph, progs, opt, progressCallBack, debugContext);
  const bool refused = !compiled->layout.tilesOutOfMemory.empty() && popscope::mustFit(*compiled, compiled->settings);
  popscope::EngineSettings settings = compiled->settings;
  if (refused) // no engine follows that writes the execution part, which includes the memory part
    settings.writeGraphProfile = settings.writesProfile();
  popscope::EngineProfile profile(compiled, settings, popscope::EngineProfile::Of::Compile);
  if (refused)
    popscope::throwOutOfMemory(*compiled, profile);
  profile.leaveSession();
  compiled->debugInfo = profile.debugInfo();
  Executable executable;
  popscope::ExecutableAccess::of(executable) = compiled;
  return executable;
}

Executable compileGraph(const Graph &graph, ArrayRef<program::Program> progs, bool checkOptionFlags,
                        const OptionFlags &opt, ProgressFunc progressCallBack, const DebugContext &debugContext) {
  return compileGraph(graph, progs, checkOptionFlags ? opt : popscope::knownOptions(opt), std::move(progressCallBack),
                      debugContext);
}

Module compileModule(const Graph &graph, program::Program prog, const OptionFlags &opt, ProgressFunc progressCallBack,
                     const DebugContext &debugContext) {
  Executable executable =
      compileGraph(graph, ArrayRef<program::Program>(prog), opt, std::move(progressCallBack), debugContext);
  for (const popscope::StreamInfo &stream : popscope::ExecutableAccess::of(executable)->program.streams)
    if (stream.kind == popscope::StreamInfo::Kind::Fifo || stream.kind == popscope::StreamInfo::Kind::Remote ||
        stream.kind == popscope::StreamInfo::Kind::HostFunction)
      throw control_program_error(
          fmt::format("compileModule: the program uses '{}'; a module has no streams, remote buffers or host functions",
                      stream.handle));
  return Module(std::move(executable));
}

Engine::Engine(const Graph &graph, ArrayRef<program::Program> progs, const OptionFlags &opt,
               ProgressFunc progressCallBack, const DebugContext &debugContext) {
  auto compiled = popscope::compileFor(graph, progs, opt, progressCallBack, debugContext);
  EngineSettings settings = compiled->settings;
  const pvti::Tracepoint trace(&popscope::traceChannel(), "Engine");
  impl_.reset(new Impl(std::move(compiled), std::move(settings)));
}

Engine::Engine(const Graph &graph, program::Program prog, const OptionFlags &opt, ProgressFunc progressCallBack,
               const DebugContext &debugContext)
    : Engine(graph, ArrayRef<program::Program>(prog), opt, std::move(progressCallBack), debugContext) {}

Engine::Engine(Executable &&executable, const OptionFlags &opt)
    : Engine(static_cast<const Executable &>(executable), opt) {
  executable = Executable();
}

Engine::Engine(const Executable &executable, const OptionFlags &opt) {
  if (!executable.isValid())
    throw poplar_error("an Engine cannot be made of an empty Executable: compile one with compileGraph first");
  auto compiled = popscope::ExecutableAccess::of(executable);
  EngineSettings settings = popscope::readSettings(opt);
  settings.files.subfolder = compiled->settings.files.subfolder;
  popscope::warnOfCompiledOptions(settings, compiled->settings, compiled->machine.kind);
  if (compiled->machine.kind != popscope::DeviceKind::Cpu && settings.writesProfile())
    popscope::beginHostTrace(popscope::readSession());
  const pvti::Tracepoint trace(&popscope::traceChannel(), "Engine");
  if (settings.warnings != compiled->settings.warnings) // the compilation has already reported these warnings
    popscope::sayWarnings(settings.warnings);
  popscope::takeCompiledOptions(settings, compiled->settings, compiled->machine.kind);
  impl_.reset(new Impl(std::move(compiled), std::move(settings)));
}

Engine::Engine(Engine &&) noexcept = default;
Engine &Engine::operator=(Engine &&) noexcept = default;
Engine::~Engine() = default;

Engine::Impl &Engine::impl() const {
  if (!impl_)
    throw poplar_error("This engine was moved from: use the engine that it was moved to.");
  return *impl_;
}

void Engine::prepare(const Device &device) { impl().load(device); }
void Engine::prepare(const Device &device, const RuntimeOptions &options) { impl().load(device, &options); }
void Engine::run(unsigned prog, const std::string &debugName, const RuntimeOptions &options) {
  const std::shared_ptr<Impl> running = impl_; // a callback of the run may destroy or move this engine
  impl().run(prog, debugName, &options);
}
void Engine::stop() { impl().stop(); }
void Engine::stop(const RuntimeOptions &) { impl().stop(); }
void Engine::serializeExecutable(std::ostream &out) const { popscope::writeExecutable(impl().compiled(), out); }
void Engine::requireRow(StringRef remoteBuffer, std::size_t bytes) const { impl().requireRow(remoteBuffer, bytes); }
void Engine::deploy() { impl().deploy(); }
void Engine::load(const Device &device) { impl().load(device); }
void Engine::run(unsigned prog, const std::string &debugName) {
  const std::shared_ptr<Impl> running = impl_; // as above
  impl().run(prog, debugName);
}
void Engine::loadAndRun(const Device &device, unsigned prog, const std::string &debugName) {
  load(device);
  run(prog, debugName);
}

void Engine::readTensor(StringRef handle, void *buf, void *bufEnd) {
  impl().hostRead(handle, buf, popscope::rangeOf(buf, bufEnd, "The buffer", handle));
}
void Engine::readTensor(StringRef handle, void *buf) { impl().hostRead(handle, buf, std::nullopt); }
void Engine::writeTensor(StringRef handle, const void *buf, const void *bufEnd) {
  impl().hostWrite(handle, buf, popscope::rangeOf(buf, bufEnd, "The buffer", handle));
}
void Engine::writeTensor(StringRef handle, const void *buf) { impl().hostWrite(handle, buf, std::nullopt); }
void Engine::readTensor(StringRef handle, QuarterMetadata &metadata, void *buf, void *bufEnd) {
  impl().hostRead(handle, metadata, buf, popscope::rangeOf(buf, bufEnd, "The buffer", handle));
}
void Engine::writeTensor(StringRef handle, const QuarterMetadata &metadata, const void *buf, const void *bufEnd) {
  impl().hostWrite(handle, metadata, buf, popscope::rangeOf(buf, bufEnd, "The buffer", handle));
}

void Engine::connectStream(StringRef handle, void *begin, void *end) {
  impl().host().connect(handle, begin, popscope::rangeOf(begin, end, "The buffer of stream", handle));
}
void Engine::connectStream(const DataStream &stream, void *begin, void *end) {
  connectStream(StringRef(stream.handle()), begin, end);
}
void Engine::connectStream(StringRef handle, void *p) { impl().host().connect(handle, p, std::nullopt); }
void Engine::connectStream(const DataStream &stream, void *p) {
  impl().host().connect(stream.handle(), p, std::nullopt);
}

namespace {

// Returns a shared pointer to the callback. This pointer keeps the handle alive.
std::shared_ptr<StreamCallback> takeCallback(const std::string &stream, StreamCallbackHandle handle) {
  if (handle.get() == nullptr)
    throw stream_connection_error(
        fmt::format("connectStreamToCallback: the callback for stream '{}' is empty", stream));
  auto owner = std::make_shared<StreamCallbackHandle>(std::move(handle));
  return std::shared_ptr<StreamCallback>(owner, owner->get());
}

} // namespace

void Engine::connectStreamToCallback(StringRef handle, StreamCallbackHandle f) {
  impl().host().connect(handle, takeCallback(handle, std::move(f)));
}
void Engine::connectStreamToCallback(const DataStream &stream, StreamCallbackHandle f) {
  connectStreamToCallback(StringRef(stream.handle()), std::move(f));
}
void Engine::connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle f) {
  impl().host().connect(handle, index, takeCallback(handle, std::move(f)));
}
void Engine::connectStreamToCallback(const DataStream &stream, unsigned index, StreamCallbackHandle f) {
  connectStreamToCallback(StringRef(stream.handle()), index, std::move(f));
}

void Engine::connectHostFunction(StringRef handle, unsigned index, HostCallbackHandle f) {
  auto owner = std::make_shared<HostCallbackHandle>(std::move(f));
  HostCallback *callback = owner->operator->();
  if (callback == nullptr)
    throw stream_connection_error(
        fmt::format("connectHostFunction: the callback for host function '{}' is empty", handle.cloneAsString()));
  impl().host().connectFunction(handle, index, std::shared_ptr<HostCallback>(owner, callback));
}
void Engine::connectHostFunction(const HostFunction &function, unsigned index, HostCallbackHandle f) {
  connectHostFunction(StringRef(function.handle()), index, std::move(f));
}

void Engine::copyFromRemoteBuffer(const RemoteBuffer &buffer, void *w, std::uint64_t repeatIndex,
                                  unsigned replicationIndex) {
  impl().remoteCopy(buffer.handle(), w, repeatIndex, replicationIndex, false);
}
void Engine::copyFromRemoteBuffer(StringRef handle, void *w, std::uint64_t repeatIndex, unsigned replicationIndex) {
  impl().remoteCopy(handle, w, repeatIndex, replicationIndex, false);
}
void Engine::copyToRemoteBuffer(void *w, const RemoteBuffer &buffer, std::uint64_t repeatIndex,
                                unsigned replicationIndex) {
  impl().remoteCopy(buffer.handle(), w, repeatIndex, replicationIndex, true);
}
void Engine::copyToRemoteBuffer(void *w, StringRef handle, std::uint64_t repeatIndex, unsigned replicationIndex) {
  impl().remoteCopy(handle, w, repeatIndex, replicationIndex, true);
}

void Engine::printProfileSummary(std::ostream &out, const OptionFlags &opt) { impl().profile().printSummary(out, opt); }

pva::Report Engine::getReport(bool reportExecution) {
  impl().requireProfile();
  return pva::makeReport(impl().profile().file(), reportExecution);
}

const ProfileValue &Engine::getGraphProfile() { return impl().graphProfile(); }
const ProfileValue &Engine::getExecutionProfile() { return impl().executionProfile(); }
ProfileValue Engine::getProfile() {
  ProfileValue::Map both;
  both["graphProfile"] = getGraphProfile();
  both["executionProfile"] = getExecutionProfile();
  return both;
}

void Engine::reportIntervals(std::ostream &out) { popscope::writeIntervals(out, getReport()); }

std::vector<std::string> Engine::getStreamHandles() const {
  std::vector<std::string> handles;
  for (const popscope::StreamInfo &stream : impl().compiled().program.streams)
    if (stream.kind == popscope::StreamInfo::Kind::Fifo && stream.part == 0)
      handles.push_back(stream.handle);
  return handles;
}

OptionFlags Engine::getEngineOptions() const {
  OptionFlags options;
  for (const popscope::OptionRecord &option : impl().settings().all)
    if (!option.isDefault)
      options.set(option.key, option.value);
  return options;
}

void printProfileSummary(std::ostream &out, const std::string &profilePath, const OptionFlags &opt) {
  const popscope::SummaryOptions options = popscope::readSummaryOptions(opt, out);
  try {
    popscope::printSummary(out, pva::openReport(profilePath), options);
  } catch (const popscope::ProfileError &e) {
    throw file_load_error(e.what());
  }
}

void Engine::enableExecutionProfiling() { impl().profile().setRecording(true); }
void Engine::disableExecutionProfiling() { impl().profile().setRecording(false); }
void Engine::resetExecutionProfile() { impl().resetExecutionProfile(); }

std::shared_ptr<popscope::ScopeStack> Engine::scopes() const { return impl().profile().scopes(); }

void Engine::setPrintStream(std::ostream &stream) { impl().host().setPrintStream(stream); }
void Engine::setPrintTensorStream(std::ostream &stream) { impl().host().setPrintStream(stream); }

Engine::TimerTimePoint Engine::getTimeStamp() { return std::chrono::steady_clock::now(); }
void Engine::reportTiming(const TimerTimePoint &start, const DebugContext &debugContext) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  std::cerr << fmt::format("{}: {:.3f} ms\n", debugContext.getPathName(),
                           std::chrono::duration<double, std::milli>(elapsed).count());
}
void Engine::reportTiming(const TimerTimePoint &start, const TimerTimePoint &end) {
  std::cerr << fmt::format("{:.3f} ms\n", std::chrono::duration<double, std::milli>(end - start).count());
}

} // namespace poplar
