// Turns the signal of a file size limit into an error. If a process must not let files grow past a limit (ulimit -f),
// the write that would do so raises SIGXFSZ, which ends the process. While a FileSizeSignal exists, such writes of its
// thread fail with EFBIG, as on a full disk. Without a limit it only reads the limit once.
#pragma once
#include <csignal>

namespace popscope {

class FileSizeSignal {
public:
  FileSizeSignal();
  ~FileSizeSignal();
  FileSizeSignal(const FileSizeSignal &) = delete;
  FileSizeSignal &operator=(const FileSizeSignal &) = delete;
  /// Returns whether there is a limit.
  [[nodiscard]] bool isHeld() const { return held_; }

private:
  bool held_ = false;
  sigset_t before_{};
};

} // namespace popscope
