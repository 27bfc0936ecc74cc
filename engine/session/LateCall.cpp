#include "engine/session/LateCall.hpp"

#include "base/QuietThread.hpp"

#include <system_error>

namespace popscope {

LateCall::~LateCall() {
  if (!thread_.joinable())
    return;
  {
    const std::lock_guard guard(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LateCall::wake() {
  {
    const std::lock_guard guard(mutex_); // so that the thread cannot fall asleep in between
  }
  changed_.notify_all();
  if (thread_.joinable())
    return;
  try {
    thread_ = startQuietThread([this] { run(); });
  } catch (const std::system_error &) { // the system cannot start a thread, so there is no late call
  }
}

void LateCall::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || asked_; });
    if (changed_.wait_for(lock, after_, [this] { return ends_; }))
      return;
    asked_ = false; // from now on, a request is for another call
    lock.unlock();
    call_();
    lock.lock();
  }
}

} // namespace popscope
