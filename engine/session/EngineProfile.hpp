// EngineProfile: writes the machine's events to the profile. EngineProfile also decides which runs are recorded and
// where the profile is written, and prints the summary.
//
// Problem: records may go to a file, to memory, or to both. Recording may pause at any run, and the process may end at
// any time. Idea: whyNot() returns the reason why a run is not recorded, or null if the run is recorded. The events of
// recorded runs pass through a chain of event sinks (optional sinks, then Recorder). Consecutive runs that are not
// recorded for one reason form a pause. A run of a pause increases the counter of the pause, and writes no records
// except blocks. The counter is written to the profile when the pause ends, or earlier (settlePause()). Invariant: if
// the engine can record runs, each call of Engine::run appears in the profile, either as a run or in one pause.
#pragma once
#include "engine/compile/Compile.hpp"
#include "engine/host/HostSampler.hpp"
#include "engine/host/HostSide.hpp"
#include "engine/session/LateCall.hpp"
#include "engine/session/ProcessEnd.hpp"
#include "engine/session/ProfileWriters.hpp"
#include "engine/session/ScopeStack.hpp"
#include "engine/settings/Settings.hpp"
#include "graph/lowering/NameFilter.hpp"
#include "instrument/counters/BlockRecorder.hpp"
#include "instrument/machine/Machine.hpp"
#include "report/pop/PopFile.hpp"

#include <poplar/OptionFlags.hpp>

#include <chrono>
#include <functional>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace popscope {

class EngineProfile {
public:
  enum class Of : std::uint8_t { Engine, Compile };
  /// Begins the profile file at once if autoReport requests a profile file, so that a profile of the compilation exists
  /// even if the process fails later. With Of::Compile, writes only the compilation and completes the file;
  /// enginesBegun() does not count this object as an engine.
  EngineProfile(std::shared_ptr<const CompiledProgram> compiled, const EngineSettings &settings, Of of = Of::Engine);
  ~EngineProfile();

  /// Runs a user program, and records the run if this run is selected. Open scopes decide whether the run is selected;
  /// without an open scope, setRecording() and the options decide. The filters by name, label and time apply in both
  /// cases.
  void run(Machine &machine, std::uint32_t program, const std::string &name, HostPort &host);
  void setRecording(bool on);
  /// Removes earlier runs from the engine's own reports. The profile file keeps the earlier runs, and also receives the
  /// later runs.
  void resetExecution();
  void printSummary(std::ostream &out, const poplar::OptionFlags &options);
  /// Flushes the profile that the engine's own reports read, which is a file or in memory. Returns this profile.
  std::shared_ptr<PopFile> file();
  /// Completes the profile file. Returns the path of the file, or "" if there is no file or the file cannot be
  /// completed.
  std::string finish();
  /// Returns the id of the debug.cbor that belongs to the profile, or "" if the profile has no debug.cbor.
  [[nodiscard]] const std::string &debugInfo() const { return debugId_; }
  /// Passes the SessionEngine on to the first engine of the compiled program.
  void leaveSession();
  [[nodiscard]] const std::shared_ptr<ScopeStack> &scopes() const { return scopes_; }

private:
  /// One call of Engine::run.
  struct Call {
    Machine &machine;
    std::uint32_t program;
    const std::string &name;
    HostPort &host;
    std::uint64_t number;
    BlockRecorder *blocks; // null if no blocks of the run are recorded
  };
  void openFile(const EngineSettings &settings);
  void writeCompilation(PopWriter &writer);
  void openFiles(EngineSettings settings);
  void writeDebugInfo(bool begins);
  PopWriter &inMemory();
  /// Returns the writer of the profile that the engine's own reports read.
  PopWriter &reported();
  /// Returns the writers of all profiles that receive records.
  ProfileWriters &writers();
  /// Returns the reason why a run is not recorded (a value of PausedRecord::reason), or null if the run is recorded.
  [[nodiscard]] const char *whyNot(std::uint32_t program, const std::string &name, std::uint64_t number);
  /// Returns the reason why a filter by name, label or time excludes the run, or null if no filter excludes the run.
  [[nodiscard]] const char *whyLeftOut(const std::string &name);
  [[nodiscard]] bool recordsBlocks(std::uint64_t number) const;
  [[nodiscard]] std::string label() const;
  void record(const Call &call);
  void runUnrecorded(const Call &call, const char *reason);
  void notePause(std::uint64_t number, const char *reason, std::optional<Cycles> cycles);
  void writePause();
  void writePauseLocked();
  /// Begins or ends the time in which the engine's own thread has exclusive use of the writer. The beginning writes and
  /// ends the current pause. Until the end, other threads use the writer only in settleAtEnd().
  void setWriting(bool writing);
  /// Writes the count of unrecorded runs, unless the latest write was less than kGatheredRuns (50 milliseconds) ago. If
  /// `late_` exists, the thread of `late_` writes the count kGatheredRuns later instead, even if no further run
  /// follows.
  void settlePause();
  /// Commits all runs that have ended, including runs that are not recorded. Any thread may call this function. The
  /// function does nothing while the engine's own thread writes.
  void settleNow();
  void settleLocked();
  /// Commits all records so far, before the process ends. `how` is "exit", "exception" or the name of the signal. If a
  /// run is being recorded and the process ends by exit, the run cannot continue. The function then completes the file
  /// and marks the run as cut short.
  void settleAtEnd(const std::string &how);
  /// Saves the profile so far under its final name, unless the profile is already complete. The unfinished file is
  /// removed when the process ends.
  void saveAtExit();
  /// Writes the sources of cycles. Also writes the cycles of single vertices, if the machine measured these cycles.
  void recordVertexCycles(const Machine &machine);
  void recordSources(const Machine &machine);
  void recordHost();
  struct Recorder;
  Recorder &recorder();
  [[nodiscard]] std::function<double()> hostClock() const;

  const pid_t process_ = ::getpid();
  std::unique_ptr<SessionEngine> session_; // null without a session, and if the engine writes no profile file
  std::shared_ptr<const CompiledProgram> compiled_;
  const SettingsRecord ofEngine_;   // options and warnings of this engine
  std::string path_;                // path of the profile file; "" if there is no profile file
  std::string debugPath_, debugId_; // path and id of debug.cbor; "" if there is no debug.cbor
  // The next members describe runs that are not recorded. The engine's thread or another thread writes the count of
  // these runs. A thread that has locked the mutex must not call setWriting().
  std::mutex pauseMutex_;
  std::optional<PausedRecord> pause_; // the current pause; the file may contain an earlier count of its runs
  std::chrono::steady_clock::time_point pauseWritten_;
  bool writing_ = false;
  std::unique_ptr<LateCall> late_;      // writes pause_ later; if null, a later run writes pause_
  std::recursive_mutex startMutex_;     // locked while the profile in memory starts, because a run and a report in
                                        // another thread may both start this profile
  std::unique_ptr<PopWriter> onDisk_;   // the profile file of autoReport
  std::unique_ptr<PopWriter> inMemory_; // used if the profile file receives no runs (or does not exist), and after a
                                        // reset; created at first use
  ProfileWriters writers_;              // empty until writers() chooses the writers
  bool executionOnDisk_ = false;
  bool wasReset_ = false;  // true: resetExecution() was called while runs were written to the file, so reports do not
                           // read the file
  bool profiles_ = true;   // false for a CPU target
  bool canRecord_ = false; // true for an IPU Model and for a device with counters. Scopes and setRecording() do not
                           // change this value
  bool recording_ = false, wasRecording_ = false;
  bool blocksOn_ = true;
  bool throughCounters_ = false;                // true for an IPU device, where only the contents of counters are known
  bool everyExecution_ = false;                 // popscope.recordEveryExecution
  std::uint64_t sampleMemory_;                  // popscope.sampleMemory
  std::vector<std::optional<Bytes>> liveBytes_; // live bytes per program, for sampleMemory_
  RecordedDetail detail_;
  RunChoice runs_;
  NameFilter names_, namesNot_;
  std::unique_ptr<HostSampler> host_; // popscope.sampleHost; null if the host is not sampled
  std::optional<std::chrono::steady_clock::time_point> firstRun_;
  std::vector<std::uint32_t> recorded_; // per program: number of recorded runs
  std::unique_ptr<Recorder> recorder_;  // recorder of the previous run; the next run reuses the recorder's results for
                                        // equal steps
  std::vector<CycleOrigin> sources_;    // sources of cycles that the profile already contains
  std::uint64_t nextRun_ = 0;
  std::shared_ptr<ScopeStack> scopes_ = std::make_shared<ScopeStack>();
  std::unique_ptr<BlockRecorder> blocks_; // lightweight profiling
  std::optional<ProcessEnd> end_;         // used without a session. This is the last member, because the call at the
                                          // end of the process uses the other members
};

} // namespace popscope
