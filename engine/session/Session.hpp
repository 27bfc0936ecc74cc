// A session: a process whose profiles were asked for from outside (POPSCOPE_PROFILE, POPSCOPE_CONFIG, popscope run). It
// has a folder of its own, one profile an engine, and session.json, which lists them:
//
//   popscope-profiles/mlp/            the program's name; the next time mlp-2, mlp-3 ...: nothing is written over
//     session.json  profile.pop  summary.txt  chrome_timeline.json      the first engine
//     engine-2/     profile.pop ...                                     others
//
// What the template says is written when an engine ends, or when the process does: by exit, an exception that nobody
// catches, or SIGTERM, SIGINT or SIGHUP (unless the program handles the signal itself).
#pragma once
#include "base/settings/Configuration.hpp"

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

struct SessionSettings {
  std::string directory, templateName, program;
  std::vector<std::string> formats; // of report/export
  bool summary = false;
  std::string
      trace; // file of its trace, as Perfetto's protobuf if it ends with .pftrace, else Chrome's JSON; "" = none
};

/// Engines of this process so far, for "engines" of a configuration: the next one is this + 1.
[[nodiscard]] std::size_t enginesBegun();
void noteEngine();

/// Where a trace is asked for from outside, the calls of the public interface and the program's own tracepoints are
/// part of it: from now on they are written to host.pvti in the session's folder. Nothing where PVTI_OPTIONS is set.
void beginHostTrace(const std::optional<SessionSettings> &session);

/// The part of the process's session that an engine has; ends with it.
class SessionEngine {
public:
  /// Begins the session when it is the first one. Throws poplar::invalid_option for a folder that cannot be made.
  explicit SessionEngine(const SessionSettings &settings);
  ~SessionEngine();
  SessionEngine(const SessionEngine &) = delete;
  SessionEngine &operator=(const SessionEngine &) = delete;

  /// Where its profile goes unless options say otherwise.
  [[nodiscard]] const std::string &folder() const { return folder_; }
  /// The profile that is being written to `path`. `settle` adds what is counted but not yet written; it is called, on
  /// any thread, when the process ends before the engine.
  void begun(const std::string &path, std::shared_ptr<PopFile> file, std::function<void()> settle);
  /// A call of Engine::run has ended, of this number from 0.
  void ran(std::uint64_t number);
  /// It is complete: writes what the template says.
  void ended();

private:
  std::size_t number_;
  std::string folder_;
  bool open_ = false;
};

/// A place in the session that compileGraph leaves to the first engine of its executable. Thread-safe.
class WaitingSession {
public:
  void leave(std::unique_ptr<SessionEngine> engine) const {
    const std::lock_guard guard(mutex_);
    engine_ = std::move(engine);
  }
  /// Returns null where none waits.
  [[nodiscard]] std::unique_ptr<SessionEngine> take() const {
    const std::lock_guard guard(mutex_);
    return std::move(engine_);
  }

private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<SessionEngine> engine_;
};

} // namespace popscope
