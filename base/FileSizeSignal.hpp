// Where a process may not let files grow past a limit (ulimit -f), the write that would is answered by the signal
// SIGXFSZ, which ends the process. While a FileSizeSignal lives, the writes of its thread fail with EFBIG instead, as
// they fail on a full disk. Nothing but one look at the limit where there is none.
#pragma once
#include <csignal>

namespace popscope {

class FileSizeSignal {
public:
  FileSizeSignal();
  ~FileSizeSignal();
  FileSizeSignal(const FileSizeSignal &) = delete;
  FileSizeSignal &operator=(const FileSizeSignal &) = delete;
  /// There is a limit.
  [[nodiscard]] bool isHeld() const { return held_; }

private:
  bool held_ = false;
  sigset_t before_{};
};

} // namespace popscope
