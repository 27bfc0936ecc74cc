// LongWork: shows the progress of long work on a terminal, so that a busy program does not appear to hang.
//
//   LongWork work([&](ProgressBar &bar, auto seconds) { bar.show("parts, " + text(seconds), done, all); });
//   ... // the work calls checkInterrupt() between its parts
#pragma once
#include "base/Interrupt.hpp"
#include "base/ProgressBar.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace popscope {

/// A bar for the work of one thread. From the third second on, checkInterrupt() on this thread draws the bar, at most
/// some 20 times per second. If the ProgressBar is not visible, the object has no effect and costs nothing. The
/// destructor removes the bar. Create and destroy the object on the same thread.
class LongWork {
public:
  /// `show` draws the bar; `seconds` is the time since the beginning of the work.
  using Show = std::function<void(ProgressBar &bar, std::chrono::seconds seconds)>;
  explicit LongWork(Show show);
  /// Removes the bar until it is drawn again. Call clear() before other code may print.
  void clear() { bar_.clear(); }

private:
  std::chrono::steady_clock::time_point began_;
  ProgressBar bar_;
  std::optional<Interruptible> ticks_;
};

} // namespace popscope
