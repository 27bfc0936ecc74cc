// Lets the caller of long work stop it: Ctrl-C of an interactive program.
#pragma once

#include <chrono>
#include <functional>

namespace popscope {

/// While it lives, checkInterrupt() on this thread calls `check`, at most some 20 times a second. What `check` throws
/// ends the work. The innermost one counts. Bound to its thread: make and destroy it there.
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

/// Called between pieces of work: steps of a run, parallel loops of a compilation. Does nothing without an
/// Interruptible on this thread.
void checkInterrupt();

} // namespace popscope
