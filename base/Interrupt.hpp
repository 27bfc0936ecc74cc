// Lets a caller stop long work that it has started, for example with Ctrl-C in an interactive program.
#pragma once

#include <chrono>
#include <functional>

namespace popscope {

/// While the object exists, checkInterrupt() on its thread calls `check`, at most some 20 times per second. An
/// exception that `check` throws ends the work. If objects are nested, only the innermost object is used. Create and
/// destroy the object on the same thread.
class Interruptible {
public:
  explicit Interruptible(std::function<void()> check);
  ~Interruptible();
  Interruptible(const Interruptible &) = delete;
  Interruptible &operator=(const Interruptible &) = delete;

private:
  friend void checkInterrupt();
  std::function<void()> check_;
  std::chrono::steady_clock::time_point last_;
  Interruptible *outer_;
};

/// Calls the `check` of the thread's innermost Interruptible. Does nothing if the thread has no Interruptible, or if
/// `check` was called less than 50 ms before. Long work calls this function between its parts: between the steps of a
/// run, and in the parallel loops of a compilation.
void checkInterrupt();

} // namespace popscope
