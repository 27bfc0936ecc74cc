#include "engine/session/EngineProfile.hpp"

#include "base/AtEnd.hpp"
#include "base/DebugStreamer.hpp"
#include "base/ProgramName.hpp"
#include "base/TerminalText.hpp"
#include "base/WholeFile.hpp"
#include "base/settings/Configuration.hpp"
#include "engine/compile/CompilePhases.hpp"
#include "engine/compile/WriteFiles.hpp"
#include "engine/session/NotedProfiles.hpp"
#include "engine/session/TraceChannel.hpp"
#include "engine/settings/SummaryRequest.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/steps/BlockTiles.hpp"
#include "instrument/counters/Counters.hpp"
#include "instrument/counters/EveryExecution.hpp"
#include "instrument/counters/MemorySamples.hpp"
#include "instrument/counters/StepStatistics.hpp"
#include "instrument/machine/LastExecution.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/pvti/HostTrace.hpp"
#include "report/summary/Summary.hpp"

#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace popscope {
namespace {

// The time for which the records of ended runs may wait in memory if runs follow each other quickly. A killed program
// loses these records.
constexpr std::chrono::milliseconds kGatheredRuns(50);

} // namespace

EngineProfile::EngineProfile(std::shared_ptr<const CompiledProgram> compiled, const EngineSettings &settings, Of of)
    : compiled_(std::move(compiled)), ofEngine_{settings.all, settings.warnings},
      everyExecution_(settings.path.everyExecution), sampleMemory_(settings.path.sampleMemory),
      runs_(settings.recordedRuns), names_("popscope.profileNames", runs_.names),
      namesNot_("popscope.profileNamesNot", runs_.namesNot), recorded_(compiled_->program.programs.size(), 0) {
  const DeviceKind kind = compiled_->machine.kind;
  // An IPU Model knows its execution without instrumentation. A (simulated) IPU knows only what instrumentation
  // records.
  throughCounters_ = kind == DeviceKind::Ipu;
  profiles_ = kind != DeviceKind::Cpu;
  if (throughCounters_)
    detail_ = compiled_->settings.recordedDetail(); // counters are part of the compiled program
  canRecord_ = kind == DeviceKind::IpuModel || (kind == DeviceKind::Ipu && (detail_.compute != ComputeDetail::Nothing ||
                                                                            detail_.external || detail_.controlFlow));
  wasRecording_ = recording_ = canRecord_;
  if (of == Of::Compile) {
    EngineSettings compileOnly = settings;
    compileOnly.writeExecutionProfile = false;
    openFiles(std::move(compileOnly));
    return;
  }
  if (sampleMemory_ != 0)
    liveBytes_ = liveBytesByProgram(compiled_->record);
  if (compiled_->program.blockProfile.on)
    blocks_ = std::make_unique<BlockRecorder>(compiled_->program, blockTiles(compiled_->program));
  noteEngine();
  if (settings.path.sampleHost != 0 && profiles_)
    host_ =
        std::make_unique<HostSampler>(std::chrono::milliseconds(settings.path.sampleHost), settings.path.hostMetrics);
  openFiles(settings);
  if (!path_.empty())
    noteProfile(path_);
}

/// Opens the files, in the folder of the session unless options name another folder.
void EngineProfile::openFiles(EngineSettings settings) {
  const DeviceKind kind = compiled_->machine.kind;
  const bool writes = kind != DeviceKind::Cpu && settings.writesProfile();
  if (!writes && kind != DeviceKind::Cpu && enginesBegun() == 1 && readSession())
    printMessage("Popscope: no profile is written: " + whyNoProfile(settings));
  if (const auto session = writes ? readSession() : std::nullopt) {
    session_ = compiled_->session.take();
    if (!session_)
      session_ = std::make_unique<SessionEngine>(*session);
    if (!isChosen(settings, "autoReport.directory")) {
      settings.reportDirectory = session_->folder();
      settings.files.subfolder.clear(); // each engine has a folder of its own
    }
  }
  // The contexts of a loaded executable belong to the process that compiled it. That process wrote debug.cbor, and the
  // records of this process do not describe these contexts.
  debugId_ = compiled_->program.contexts.empty() ? compiled_->debugInfo : "";
  if (kind != DeviceKind::Cpu && settings.files.debugInfo && !compiled_->program.contexts.empty())
    debugPath_ = reportPath(settings, "debug.cbor");
  writeDebugInfo(true);
  if (writes)
    openFile(settings);
}

/// Begins the profile file. If this fails, the program continues, and records go to memory as they do without a file.
void EngineProfile::openFile(const EngineSettings &settings) {
  const std::string path = reportPath(settings, "profile.pop");
  if (path.empty())
    return;
  const auto held = session_ ? session_->hold() : std::unique_lock<std::recursive_mutex>();
  try {
    const CompilationRecord &record = compiled_->record;
    onDisk_ =
        std::make_unique<PopWriter>(path, record.programs.size() * record.target.numIpus * record.target.tilesPerIpu);
    writeCompilation(*onDisk_);
    if (!settings.writeExecutionProfile)
      onDisk_->finish();
  } catch (const StorageError &e) {
    onDisk_.reset();
    printMessage("Popscope: no profile is written: " + path + ": " + e.cause() +
                 ". A file that had this name stays; the program goes on.");
    return;
  }
  path_ = path;
  executionOnDisk_ = settings.writeExecutionProfile;
  if (executionOnDisk_ && settings.multiThread) {
    onDisk_->writeStepsBeside();
    late_ = std::make_unique<LateCall>(kGatheredRuns, [this] { settleNow(); });
  }
  if (session_) // the session flushes all runs that have ended, however the program ends
    session_->begun(path_, onDisk_->file(), [this, counts = executionOnDisk_](const std::string &how) {
      if (counts) // otherwise the file is that of a compilation, and the writer of the file is already destroyed
        settleAtEnd(how);
    });
  else if (!settings.recordedRuns.eachAtOnce)
    onDisk_->gatherRuns(kGatheredRuns);
  if (!session_ && executionOnDisk_)
    end_.emplace([this](const std::string &how) {
      settleAtEnd(how);
      if (how == "exit")
        saveAtExit();
    });
}

/// Writes the compilation, with its phases if they were measured.
void EngineProfile::writeCompilation(PopWriter &writer) {
  CompilePhases phases(traceChannel(), compiled_->phases, compiled_->phasesBegan);
  {
    const Phase phase(&phases, "profile written");
    writer.noteProgram(programName());
    if (!debugId_.empty())
      writer.noteDebugInfo(debugId_);
    writer.compilation(compiled_->record, *compiled_->rows, &ofEngine_);
  }
  writer.compilePhases(phases.take());
}

EngineProfile::~EngineProfile() {
  if (::getpid() != process_) { // a forked child: the files, the session and the sampling thread belong to the parent
    (void)host_.release();
    (void)late_.release();
    return;
  }
  try {
    if (executionOnDisk_)
      settleNow();                   // a signal from now on finds every run in the file
  } catch (const std::exception &) { // the next attempt prints the reason
  }
  end_.reset();
  late_.reset();
  const auto held = session_ ? session_->hold() : std::unique_lock<std::recursive_mutex>();
  try {
    if (!session_) // with a session, finish() takes the last sample of the host
      recordHost();
    if (executionOnDisk_ || inMemory_)
      writePause();
  } catch (const std::exception &e) {
    printMessage(std::string("Popscope: the last sample of the host and the runs that were not recorded are missing in "
                             "the profile: ") +
                 e.what());
  }
  try {
    writeDebugInfo(false); // again, because DebugInfos have ended since the first time
    if (session_) {
      (void)finish();
      session_->ended();
    }
  } catch (const std::exception &e) { // for example, there is no memory
    printMessage(std::string("Popscope: the debug information or the session's files were not completed: ") + e.what());
  }
}

void EngineProfile::writeDebugInfo(bool begins) {
  if (debugPath_.empty())
    return;
  try {
    const DebugInfoRecords records = debugInfoRecords(debugSiteRecords(*compiled_));
    // The id identifies the DebugInfos in which the programs of this profile were made. Equal records have equal ids.
    if (debugId_.empty())
      debugId_ = ContentHash().add(records.bytes).hex();
    popscope::writeDebugInfo(debugPath_, records, debugId_);
  } catch (const std::system_error &e) {
    if (begins && !isRefusal(e.code().value()))
      throw poplar::file_load_error("debug information " + debugPath_ + " cannot be written: " + e.code().message());
    printMessage("Popscope: no debug information is written: " + debugPath_ + ": " + e.code().message() +
                 ". A file that had this name stays; the program goes on.");
    debugPath_.clear(); // tries only once
  }
}

PopWriter &EngineProfile::inMemory() {
  const std::lock_guard guard(startMutex_);
  if (!inMemory_) {
    auto writer = std::make_unique<PopWriter>();
    writeCompilation(*writer);
    inMemory_ = std::move(writer);
  }
  return *inMemory_;
}

PopWriter &EngineProfile::reported() { return executionOnDisk_ && !wasReset_ ? *onDisk_ : inMemory(); }

ProfileWriters &EngineProfile::writers() {
  const std::lock_guard guard(startMutex_);
  if (writers_.empty()) {
    if (executionOnDisk_)
      writers_.add(*onDisk_);
    if (!executionOnDisk_ || wasReset_)
      writers_.add(inMemory());
  }
  return writers_;
}

void EngineProfile::setRecording(bool on) {
  blocksOn_ = on;
  recording_ = on && canRecord_;
  wasRecording_ = wasRecording_ || recording_;
}

const char *EngineProfile::whyNot(std::uint32_t program, const std::string &name, std::uint64_t number) {
  if (!firstRun_)
    firstRun_ = std::chrono::steady_clock::now();
  if (!canRecord_) // notePause() counts no such run
    return "disabled";
  if (!scopes_->open.empty()) {
    const char *const leftOut = scopes_->open.back().leftOut;
    return scopes_->paused() ? "paused" : leftOut != nullptr ? leftOut : whyLeftOut(name);
  }
  if (!recording_)
    return "disabled";
  if (!runs_.ranges.empty() && !runs_.inRanges(number))
    return "profileRuns";
  if (const char *reason = whyLeftOut(name))
    return reason;
  return !runs_.ranges.empty() || recorded_[program] < runs_.ofEachProgram ? nullptr : "run count";
}

const char *EngineProfile::whyLeftOut(const std::string &name) {
  const std::string scope = label();
  const auto matches = [&](const NameFilter &filter) {
    return filter.matches(name) || (!scope.empty() && filter.matches(scope));
  };
  if ((!runs_.names.empty() && !matches(names_)) || (!runs_.namesNot.empty() && matches(namesNot_)))
    return "profileNames";
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - *firstRun_).count();
  return seconds < runs_.fromSecond || (runs_.toSecond >= 0 && seconds > runs_.toSecond) ? "profileSeconds" : nullptr;
}

// Returns whether the engine records blocks of the run. There is no limit per program, because blocks are cheap.
bool EngineProfile::recordsBlocks(std::uint64_t number) const {
  if (!scopes_->open.empty())
    return !scopes_->paused() && scopes_->open.back().leftOut == nullptr;
  return blocksOn_ && (runs_.ranges.empty() || runs_.inRanges(number));
}

std::string EngineProfile::label() const {
  std::string text;
  for (const ScopeStack::Entry &entry : scopes_->open)
    text += (text.empty() || entry.label.empty() ? "" : "/") + entry.label;
  return text;
}

void EngineProfile::run(Machine &machine, std::uint32_t program, const std::string &name, HostPort &host) {
  if (!profiles_)
    return machine.run(program, name, host, nullptr);
  const std::uint64_t number = nextRun_++;
  const Call call{machine, program, name, host, number, blocks_ && recordsBlocks(number) ? blocks_.get() : nullptr};
  if (const char *reason = whyNot(program, name, number))
    return runUnrecorded(call, reason);
  setWriting(true);
  const AtEnd written([this] { setWriting(false); });
  wasRecording_ = true;
  ++recorded_[program];
  try {
    record(call);
  } catch (...) { // the user's program may stop at any step; the engine can then be loaded and run again
    if (call.blocks != nullptr)
      call.blocks->cutRun();
    writers().cutRun();
    recordVertexCycles(machine);
    throw;
  }
  recordVertexCycles(machine);
  if (session_)
    session_->ran(number);
  else if (end_)
    ProcessEnd::ran(number);
}

/// The chain of listeners of all recorded runs. The chain persists between runs, so that results for step patterns are
/// reused.
struct EngineProfile::Recorder {
  Recorder(const CompiledProgram &compiled, ProfileSink &writer, const RecordedDetail &recorded, bool throughCounters,
           std::function<double()> clock)
      : detail(recorded), counters(compiled.program, compiled.machine.tilesPerIpu, writer, recorded, std::move(clock)) {
    if (throughCounters)
      last.emplace(compiled.program, CostModel(compiled.machine), counters);
    statistics.emplace(compiled.program.steps.size(), last ? static_cast<EventSink &>(*last) : counters, writer);
  }
  RecordedDetail detail;
  Counters counters;
  std::optional<LastExecution> last;
  std::optional<StepStatistics> statistics;
};

/// Returns the clock that adds the host's time to the profile, or null if host times are not requested. Without host
/// times, the same program gives the same profile.
std::function<double()> EngineProfile::hostClock() const {
  if (!host_ && hostTraceFile().empty())
    return nullptr;
  return [] { return static_cast<double>(hostMicroseconds()); };
}

EngineProfile::Recorder &EngineProfile::recorder() {
  RecordedDetail detail = detail_;
  detail.kinds = static_cast<StepKindsMask>(runs_.kinds & scopes_->kinds());
  if (!recorder_ || !(recorder_->detail == detail))
    recorder_ = std::make_unique<Recorder>(*compiled_, writers(), detail, throughCounters_, hostClock());
  return *recorder_;
}

void EngineProfile::record(const Call &call) {
  Recorder &parts = recorder();
  parts.counters.identifyRun(call.number, label());
  EventSink *sink = &*parts.statistics;
  std::optional<EveryExecution> every;
  if (everyExecution_)
    sink = &every.emplace(compiled_->program.steps.size(), *sink, writers(), parts.detail.kinds);
  std::optional<MemorySamples> samples;
  if (sampleMemory_ != 0)
    sink = &samples.emplace(sampleMemory_, liveBytes_, *sink, writers());
  if (call.blocks != nullptr) {
    call.blocks->attach(call.number, sink, writers());
    sink = call.blocks;
  }
  try {
    call.machine.run(call.program, call.name, call.host, sink);
  } catch (...) {
    if (call.blocks != nullptr)
      call.blocks->cutRun();
    if (every)
      every->cutRun();
    if (samples)
      samples->cutRun();
    if (parts.last)
      parts.last->cutRun();
    throw;
  }
  recordHost();
}

/// Writes the samples of the host so far, if the profile on disk contains executions.
void EngineProfile::recordHost() {
  const auto held = writers_.lock();
  if (host_ && onDisk_ && executionOnDisk_ && !writers_.isClosed())
    onDisk_->hostSamples(host_->take());
}

void EngineProfile::recordVertexCycles(const Machine &machine) {
  recordSources(machine);
  const std::vector<VertexTime> times = machine.vertexTimes();
  if (!times.empty())
    writers().vertices(collectVertexTimes(compiled_->program, compiled_->codelets, times));
}

void EngineProfile::recordSources(const Machine &machine) {
  std::vector<CycleOrigin> sources = machine.cycleOrigins();
  if (sources == sources_)
    return;
  std::vector<CycleSourceRecord> rows;
  for (const CycleOrigin &o : sources)
    rows.push_back(
        {o.computeSet.index(), o.type.index(), o.source, o.vertices, o.reason, o.flops.vertices, o.flops.operations});
  writers().cycleSources(rows);
  sources_ = std::move(sources);
}

void EngineProfile::runUnrecorded(const Call &call, const char *reason) {
  if (call.blocks == nullptr) {
    notePause(call.number, reason, std::nullopt);
    if (executionOnDisk_) {
      {
        const auto held = writers_.lock(); // another thread may read a report
        onDisk_->settle();
      }
      settlePause();
    }
    return call.machine.run(call.program, call.name, call.host, nullptr);
  }
  call.blocks->attach(call.number, nullptr, writers());
  try {
    call.machine.run(call.program, call.name, call.host, call.blocks);
  } catch (...) {
    call.blocks->cutRun();
    writers().flush();
    notePause(call.number, reason, std::nullopt);
    throw;
  }
  writers().flush();
  notePause(call.number, reason, call.blocks->runCycles());
}

void EngineProfile::notePause(std::uint64_t number, const char *reason, std::optional<Cycles> cycles) {
  if (!wasRecording_)
    return; // recording was never on, so this is no pause
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  if (pause_ && pause_->reason == reason) {
    ++pause_->runs;
    pause_->cycles = pause_->cycles && cycles ? std::optional(*pause_->cycles + *cycles) : std::nullopt;
    return;
  }
  writePauseLocked();
  pause_ = PausedRecord{number, 1, reason, cycles};
}

// Writes the current pause. Callers call this function as late as possible, so that an unrecorded run costs almost
// nothing.
void EngineProfile::writePauseLocked() {
  if (!pause_)
    return;
  writers().paused(*pause_); // replaces an earlier count of the same runs
  pauseWritten_ = std::chrono::steady_clock::now();
}

void EngineProfile::writePause() {
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  writePauseLocked();
}

void EngineProfile::setWriting(bool writing) {
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  if (writing) {
    writePauseLocked();
    pause_.reset();
  }
  writing_ = writing;
}

void EngineProfile::settlePause() {
  if (late_)
    return late_->ask();
  {
    const std::lock_guard<std::mutex> lock(pauseMutex_);
    if (std::chrono::steady_clock::now() - pauseWritten_ < kGatheredRuns)
      return;
  }
  settleNow();
}

void EngineProfile::settleNow() {
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  if (!writing_)
    settleLocked();
}

void EngineProfile::settleLocked() {
  const auto held = writers_.lock();
  if (writers_.isClosed())
    return;
  if (pause_)
    onDisk_->paused(*pause_);
  pauseWritten_ = std::chrono::steady_clock::now();
  onDisk_->flush();
}

void EngineProfile::settleAtEnd(const std::string &how) {
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  if (!writing_)
    return settleLocked();
  const auto held = writers_.lock(); // the writers are now between two records of the run
  if (how != "exit")
    return onDisk_->flush();
  writers_.close();
  onDisk_->cutRun();
  onDisk_->finish();
}

// An engine that is destroyed later, such as a static object, replaces this file by its own.
void EngineProfile::saveAtExit() {
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  const std::string own = onDisk_->file()->path();
  if (!isTemporaryName(std::filesystem::path(own).filename().string()))
    return; // finish() was called before
  try {
    onDisk_->publish();
    ProcessEnd::removeAtEnd(own);
  } catch (const StorageError &e) {
    printMessage(std::string("Popscope: the profile was not completed: ") + e.what());
  }
}

// Another thread may read a report meanwhile.
void EngineProfile::resetExecution() {
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  if (executionOnDisk_)
    writePauseLocked(); // the earlier runs stay in the file
  pause_.reset();
  const auto held = writers_.lock();
  if (executionOnDisk_ && !wasReset_) {
    wasReset_ = true;
    recorder_.reset();
    writers_.clear();
  } else if (inMemory_)
    inMemory_->resetExecution();
  sources_.clear();
  recorded_.assign(recorded_.size(), 0);
}

// Another thread may run the engine meanwhile, and then writes between two records of the run.
std::shared_ptr<PopFile> EngineProfile::file() {
  const std::lock_guard<std::mutex> lock(pauseMutex_);
  if (!writing_)
    writePauseLocked();
  PopWriter &w = reported();
  const auto held = writers_.lock();
  w.flush();
  return w.file();
}

std::string EngineProfile::finish() {
  setWriting(true);
  const AtEnd written([this] { setWriting(false); });
  const auto held = writers_.lock();
  if (onDisk_)
    try {
      recordHost();
      host_.reset(); // the destructor calls finish() again, and a finished file takes no samples
      onDisk_->finish();
    } catch (const StorageError &e) {
      printMessage(std::string("Popscope: the profile was not completed: ") + e.what());
      return "";
    }
  return path_;
}

void EngineProfile::leaveSession() { compiled_->session.leave(std::move(session_)); }

void EngineProfile::printSummary(std::ostream &out, const poplar::OptionFlags &options) {
  popscope::printSummary(out, pva::makeReport(file()), readSummaryOptions(options, out));
}

} // namespace popscope
