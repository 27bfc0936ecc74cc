// EngineProfile: the engine's connection between the machine's events and the profile: which runs are recorded, where
// the profile is written, and how the summary is printed from it.
#pragma once
#include "engine/compile/Compile.hpp"
#include "engine/host/HostSampler.hpp"
#include "engine/host/HostSide.hpp"
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
#include <vector>

namespace popscope {

class EngineProfile {
public:
  enum class Of : std::uint8_t { Engine, Compile };
  /// With autoReport the profile file is begun at once, so that a compile profile exists whatever happens later.
  /// Of::Compile writes the compile's part alone and completes the file: no engine counts, nothing runs.
  EngineProfile(std::shared_ptr<const CompiledProgram> compiled, const EngineSettings &settings, Of of = Of::Engine);
  ~EngineProfile();

  /// Runs a user program, recording it when an open scope, or else the options, say so.
  void run(Machine &machine, std::uint32_t program, const std::string &name, HostPort &host);
  void setRecording(bool on);
  /// Reports know only later runs. A profile file keeps what it has, and gets the later runs, too.
  void resetExecution();
  void printSummary(std::ostream &out, const poplar::OptionFlags &options);
  /// What reports read; flushed.
  std::shared_ptr<PopFile> file();
  /// Completes the profile file; its path, or "" when none is written.
  std::string finish();
  /// Leaves the place in the session to the first engine that is made of the program.
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
    BlockRecorder *blocks; // null: none are recorded
  };
  void openFile(const EngineSettings &settings);
  void writeCompilation(PopWriter &writer);
  void openFiles(EngineSettings settings);
  void writeDebugInfo(bool begins);
  PopWriter &inMemory();
  /// What reports read.
  PopWriter &reported();
  /// All that record.
  ProfileWriters &writers();
  /// Why a run is left out, as PausedRecord::reason; null: it is recorded.
  [[nodiscard]] const char *whyNot(std::uint32_t program, const std::string &name, std::uint64_t number);
  /// The same of what narrows the choice: names, labels and time.
  [[nodiscard]] const char *whyLeftOut(const std::string &name);
  [[nodiscard]] bool recordsBlocks(std::uint64_t number) const;
  [[nodiscard]] std::string label() const;
  void record(const Call &call);
  void runUnrecorded(const Call &call, const char *reason);
  void notePause(std::uint64_t number, const char *reason, std::optional<Cycles> cycles);
  void writePause();
  void writePauseLocked();
  void endPause();
  void settlePause();
  void recordSources(const Machine &machine);
  void recordVertices(const Machine &machine);
  void recordHost();
  struct Recorder;
  Recorder &recorder();
  [[nodiscard]] std::function<double()> hostClock() const;

  std::unique_ptr<SessionEngine> session_; // null: nobody asked from outside
  std::shared_ptr<const CompiledProgram> compiled_;
  std::string path_;                    // of the file; "" = none
  std::string debugPath_, debugId_;     // of debug.cbor; "" = none
  std::unique_ptr<PopWriter> onDisk_;   // autoReport
  std::unique_ptr<PopWriter> inMemory_; // otherwise, and after a reset; made when first needed
  ProfileWriters writers_;              // empty: not yet known
  bool executionOnDisk_ = false;
  bool wasReset_ = false; // reports do not read the file
  bool profiles_ = true;  // a CPU target does not
  bool recording_ = false, wasRecording_ = false;
  bool blocksOn_ = true;
  bool throughCounters_ = false;                // an IPU device: only what its counters hold is known
  bool everyExecution_ = false;                 // popscope.recordEveryExecution
  std::uint64_t sampleMemory_;                  // popscope.sampleMemory
  std::vector<std::optional<Bytes>> liveBytes_; // by program, for the samples
  RecordedDetail detail_;
  RunChoice runs_;
  NameFilter names_, namesNot_;
  std::unique_ptr<HostSampler> host_; // popscope.sampleHost; null: nothing is sampled
  std::optional<std::chrono::steady_clock::time_point> firstRun_;
  std::vector<std::uint32_t> recorded_; // per program
  std::unique_ptr<Recorder> recorder_;  // of the run before: what it made of steps serves those of the next
  std::vector<CycleOrigin> sources_;    // as the profile has them
  std::uint64_t nextRun_ = 0;
  // Runs that are left out. They may be written by the thread that ends the process, too.
  std::mutex pauseMutex_;
  std::optional<PausedRecord> pause_; // the last ones; the file may have an earlier count of them
  std::chrono::steady_clock::time_point pauseWritten_;
  std::shared_ptr<ScopeStack> scopes_ = std::make_shared<ScopeStack>();
  std::unique_ptr<BlockRecorder> blocks_; // lightweight profiling
};

} // namespace popscope
