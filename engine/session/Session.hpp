// A session: a process whose profiles were requested from outside (POPSCOPE_PROFILE, POPSCOPE_CONFIG, popscope run). It
// has a folder of its own, one profile per engine, and session.json, which lists them:
//
//   popscope-profiles/mlp/            the program's name; the next time mlp-2, mlp-3 ...: nothing is overwritten
//     session.json  profile.pop  summary.txt  chrome_timeline.json      the first engine
//     engine-2/     profile.pop ...                                     others
//
// The files of the template are written when an engine ends, or when the process does: by exit, an uncaught exception,
// or SIGTERM, SIGINT or SIGHUP (unless the program handles the signal itself).
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
  std::vector<std::string> formats; // names of formats in report/export
  bool summary = false;
  std::string
      trace; // file of its trace: Perfetto's protobuf if it ends with .pftrace, otherwise Chrome's JSON; "" = none
};

/// Returns the number of engines of this process so far, for "engines" of a configuration: the next engine has this
/// number + 1.
[[nodiscard]] std::size_t enginesBegun();
void noteEngine();

/// Begins a trace of the host, if the session requests one: from now on, calls of the public interface and the
/// program's own tracepoints are written to host.pvti in the session's folder. Does nothing if PVTI_OPTIONS is set.
void beginHostTrace(const std::optional<SessionSettings> &session);

/// The part of the process's session that belongs to one engine and ends with it.
class SessionEngine {
public:
  /// Begins the session if this is its first engine. Throws poplar::invalid_option for a folder that cannot be created.
  explicit SessionEngine(const SessionSettings &settings);
  ~SessionEngine();
  SessionEngine(const SessionEngine &) = delete;
  SessionEngine &operator=(const SessionEngine &) = delete;

  /// Returns the folder of the engine's profile, unless options name another.
  [[nodiscard]] const std::string &folder() const { return folder_; }
  /// Registers the profile that is being written to `path`. `settle` adds what is counted but not yet written. It is
  /// called, on any thread, if the process ends before the engine.
  void begun(const std::string &path, std::shared_ptr<PopFile> file, std::function<void()> settle);
  /// Reports the end of a call of Engine::run with this number, from 0.
  void ran(std::uint64_t number);
  /// Reports that the profile is complete, and writes the files of the template.
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
  /// Returns the place, or null if there is none.
  [[nodiscard]] std::unique_ptr<SessionEngine> take() const {
    const std::lock_guard guard(mutex_);
    return std::move(engine_);
  }

private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<SessionEngine> engine_;
};

} // namespace popscope
