// Lets a caller stop long work that it has started, for example with Ctrl-C in an interactive program, or watch it.
#pragma once

#include <chrono>
#include <functional>

namespace popscope {

/// While the object exists, checkInterrupt() on its thread calls `check`, at most some 20 times per second. An
/// exception that `check` throws ends the work. If objects are nested, all of them are called, the innermost first.
/// Create and destroy the object on the same thread.
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

/// Calls the `check` of each Interruptible of the thread, except those that were called less than 50 ms before. Long
/// work calls this function between its parts: between the steps of a run, and in the parallel loops of a compilation.
void checkInterrupt();

} // namespace popscope
