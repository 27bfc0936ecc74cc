// Lets the caller of long work stop it: Ctrl-C of an interactive program.
#pragma once

#include <chrono>
#include <functional>

namespace popscope {

/// While the object exists, checkInterrupt() on this thread calls `check`, at most some 20 times a second. An exception
/// of `check` ends the work. Of nested objects, only the innermost is called. Make and destroy the object on the same
/// thread.
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

/// Calls `check` if one is set. Long work calls this function between its pieces: steps of a run, parallel loops of a
/// compilation. Does nothing without an Interruptible on this thread.
void checkInterrupt();

} // namespace popscope
