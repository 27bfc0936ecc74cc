// Calls a function of the caller regularly during long work. The function can stop the work, for example after Ctrl-C,
// or show progress.
#pragma once

#include <chrono>
#include <functional>

namespace popscope {

/// While the object exists, checkInterrupt() calls `check` on the thread that created the object, at most some 20 times
/// per second. An exception that `check` throws ends the work. If a thread has several objects, checkInterrupt() calls
/// the `check` of each object, the latest object first. Create and destroy the object on the same thread.
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

/// Calls the `check` of each Interruptible of the calling thread. Skips an Interruptible if less than 50 ms have passed
/// since its creation or the latest call of its `check`. Long work calls this function between its parts: before each
/// step of a run, and before each parallel loop.
void checkInterrupt();

} // namespace popscope
