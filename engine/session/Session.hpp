// A session: a process for which the user requests profiles by POPSCOPE_PROFILE, POPSCOPE_CONFIG, POPSCOPE_TRACE or
// popscope run, without changing the program. A session has its own folder. The folder contains one profile per engine,
// and session.json, which lists the profiles:
//
//   popscope-profiles/mlp/            the program's name; later sessions use mlp-2, mlp-3, ... and overwrite nothing
//     session.json  profile.pop  summary.txt  chrome_timeline.json      the first engine
//     engine-2/     profile.pop ...                                     further engines
//
// A forked child that creates engines begins a session of its own, in a folder such as mlp-2.
//
// The files that the session requests (SessionSettings::formats, summary and trace) are written when an engine ends.
// The files are also written when the process ends in one of the ways that ProcessEnd.hpp lists.
#pragma once
#include "base/settings/Configuration.hpp"
#include "engine/session/ProcessEnd.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace popscope {

class PopFile;
class Session;

struct SessionSettings {
  std::string directory, templateName, program;
  std::string directorySetting;     // the setting that chose `directory`, for messages; "" if no setting chose it
  std::vector<std::string> formats; // names of export formats (report/export)
  bool summary = false;
  /// Path of the file for the trace of host and device, or "" if the session requests no trace. The format is
  /// Perfetto's protobuf if the name ends with .pftrace, and Chrome's JSON otherwise. The name of the second engine's
  /// trace has the suffix -2 before the extension, the name of the third engine's trace has -3, and so on.
  std::string trace;
};

/// Returns the number of engines that this process has created so far. The number of the next engine is this number
/// plus one. The key "engines" of a configuration selects engines by these numbers.
[[nodiscard]] std::size_t enginesBegun();
void noteEngine();

/// Begins a trace of the host if the session requests a trace, or a format that contains host times (chrome, perfetto
/// or msprof). From then on, calls of the public interface and the program's own tracepoints are written to host.pvti
/// in the session's folder. Does nothing if PVTI_OPTIONS is set and not empty, or if the process already writes a trace
/// of the host.
void beginHostTrace(const std::optional<SessionSettings> &session);

/// The part of the process's session that belongs to one engine. This part of the session ends with the engine.
class SessionEngine {
public:
  /// Begins the session unless the session has begun. Throws poplar::invalid_option if the folder cannot be created.
  explicit SessionEngine(const SessionSettings &settings);
  ~SessionEngine();
  SessionEngine(const SessionEngine &) = delete;
  SessionEngine &operator=(const SessionEngine &) = delete;

  /// Returns the session's folder for this engine. The engine's profile is in this folder unless an option names
  /// another folder.
  [[nodiscard]] const std::string &folder() const { return folder_; }
  /// Returns whether this process created the object. A forked child inherits the objects of its parent.
  [[nodiscard]] bool isOfThisProcess() const;
  /// Returns a lock. While the lock exists, no signal ends the process, so the files of an engine are complete or
  /// absent. Does not return if a signal has ended the session, because the process ends at once.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> hold();
  /// Registers the profile that is being written to `path`. If the process ends before the engine, the session calls
  /// `settle(how)` on any thread (see ProcessEnd::Call). `settle` must commit all records so far, including the number
  /// of ended runs that were not recorded. If the process ends by exit while a run is being recorded, `settle` must
  /// also complete the file, because this run cannot continue.
  void begun(const std::string &path, std::shared_ptr<PopFile> file, ProcessEnd::Call settle);
  /// Reports the end of the call of Engine::run with this number; the first call has number 0.
  void ran(std::uint64_t number);
  /// Reports that the profile is complete, and writes the files that the session requests.
  void ended();

private:
  Session &session_; // the session of the process that created this object
  std::size_t number_;
  std::string folder_;
  bool open_ = false;
};

/// The SessionEngine of an executable, from the compilation to the first engine. compileGraph leaves the SessionEngine
/// here, and the first engine of the executable takes it. Thread-safe.
class WaitingSession {
public:
  void leave(std::unique_ptr<SessionEngine> engine) const {
    const std::lock_guard guard(mutex_);
    engine_ = std::move(engine);
  }
  /// Removes and returns the SessionEngine. Returns null if there is no SessionEngine, or if the SessionEngine belongs
  /// to the parent of this process.
  [[nodiscard]] std::unique_ptr<SessionEngine> take() const {
    const std::lock_guard guard(mutex_);
    auto engine = std::move(engine_);
    return engine != nullptr && engine->isOfThisProcess() ? std::move(engine) : nullptr;
  }

private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<SessionEngine> engine_;
};

} // namespace popscope
