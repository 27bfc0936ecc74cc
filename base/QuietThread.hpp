// startQuietThread: starts a thread that receives none of the program's signals.
#pragma once
#include "base/AtEnd.hpp"

#include <csignal>
#include <thread>
#include <utility>

namespace popscope {

/// Starts a thread with all signals blocked, so that signals reach the program's own threads. Throws std::system_error
/// if the system cannot start a thread. The caller's signal mask stays the same in any case.
template <class Run> [[nodiscard]] std::thread startQuietThread(Run run) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // a new thread has the mask of the thread that starts it
  const AtEnd unblocked([&] { pthread_sigmask(SIG_SETMASK, &before, nullptr); });
  return std::thread(std::move(run));
}

} // namespace popscope
