// Turns the signal of a file size limit into an error. If a process has a file size limit (ulimit -f), a write that
// exceeds the limit raises SIGXFSZ, which ends the process. While a FileSizeSignal exists, the thread that created the
// object blocks this signal. A write of this thread that exceeds the limit then fails with EFBIG, and the process
// continues. If there is no limit, a FileSizeSignal has no effect.
#pragma once
#include <csignal>

namespace popscope {

class FileSizeSignal {
public:
  FileSizeSignal();
  ~FileSizeSignal();
  FileSizeSignal(const FileSizeSignal &) = delete;
  FileSizeSignal &operator=(const FileSizeSignal &) = delete;
  /// Returns whether this object blocks the signal. Returns false if the process has no file size limit, or if the
  /// signal was already blocked.
  [[nodiscard]] bool isHeld() const { return held_; }

private:
  bool held_ = false;
  sigset_t before_{};
};

} // namespace popscope
