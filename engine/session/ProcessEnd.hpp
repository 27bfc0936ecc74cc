// ProcessEnd: calls functions before the process ends in one of these ways:
//
//   - by exit or quick_exit
//   - by an uncaught exception
//   - by SIGTERM, SIGINT or SIGHUP, unless the program handles or ignores the signal
//
// The handler of a signal wakes a thread, because a signal handler may call only a few functions. The thread makes the
// calls, and then ends the process by the signal that arrived. Until the process ends, the program's own threads
// continue. A forked child makes only the calls that the child registered itself, because the open files of all other
// calls belong to the parent.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace popscope {

class ProcessEnd {
public:
  /// A function to call before the process ends. `how` is "exit", "exception" or the name of the signal.
  using Call = std::function<void(const std::string &how)>;

  /// Registers `call`. When the process ends, `call` runs once, on any thread. If this object is destroyed earlier,
  /// `call` does not run. The first object of a process installs the handlers that watch for the end.
  explicit ProcessEnd(Call call);
  /// If the call is in progress, waits for the end of the call.
  ~ProcessEnd();
  ProcessEnd(const ProcessEnd &) = delete;
  ProcessEnd &operator=(const ProcessEnd &) = delete;

  /// Removes the file `temporary`, an unfinished profile, when the process ends by exit or quick_exit. The caller must
  /// have saved the contents of the profile in another file. With exit, the file is removed after the destructors of
  /// static objects have run, because an engine in a static object may still complete and rename its file.
  static void removeAtEnd(const std::string &temporary);
  /// Registers the exit handler again. Exit handlers and destructors of static tables run in reverse order of their
  /// registration. So the handler runs before any table is destroyed that exists at this call. The handler needs these
  /// tables to write a profile.
  static void watchExitAgain();
  /// Calls watchExitAgain() after the calls 1, 2, 4, 8 ... of Engine::run, because most tables are created during the
  /// first runs. `number` is the number of earlier calls.
  static void ran(std::uint64_t number) {
    if ((number & (number + 1)) == 0)
      watchExitAgain();
  }

private:
  Call call_;
};

} // namespace popscope
