// startQuietThread: starts a thread that receives none of the program's signals.
#pragma once
#include <csignal>
#include <thread>
#include <utility>

namespace popscope {

/// Starts a thread with all signals blocked, so that signals reach the program's own threads. Throws std::system_error
/// if the system cannot start a thread. The caller's signal mask stays the same in any case.
template <class Run> [[nodiscard]] std::thread startQuietThread(Run run) {
  struct Blocked { // a new thread has the mask of the thread that starts it
    Blocked() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~Blocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    Blocked(const Blocked &) = delete;
    Blocked &operator=(const Blocked &) = delete;
    sigset_t before;
  } const blocked;
  return std::thread(std::move(run));
}

} // namespace popscope
