#include "base/FileSizeSignal.hpp"

#include <cerrno>
#include <ctime>
#include <pthread.h>
#include <sys/resource.h>

namespace popscope {
namespace {

sigset_t onlyFileSize() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

} // namespace

FileSizeSignal::FileSizeSignal() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return;
  const sigset_t set = onlyFileSize();
  held_ = pthread_sigmask(SIG_BLOCK, &set, &before_) == 0 && sigismember(&before_, SIGXFSZ) == 0;
}

FileSizeSignal::~FileSizeSignal() {
  if (!held_)
    return;
  const sigset_t set = onlyFileSize();
  const timespec now{};
  while (sigtimedwait(&set, nullptr, &now) == -1 &&
         errno == EINTR) // takes the signal that our own writes raised; the kernel sends it to the thread that writes
    ;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace popscope
