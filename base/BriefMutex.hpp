// A recursive mutex that threads lock many times in succession, each time for microseconds. Most waits are shorter than
// the time to put a thread to sleep and to wake the thread. So lock() first tries several times to take the mutex, and
// only then puts the thread to sleep.
#pragma once
#include <mutex>
#include <thread>

namespace popscope {

class BriefMutex {
public:
  void lock() {
    for (int i = 0; i < kTries; ++i) {
      if (mutex_.try_lock())
        return;
      pause();
    }
    mutex_.lock();
  }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }

private:
  static constexpr int kTries = 400; // all tries together take some 10 microseconds
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }
  std::recursive_mutex mutex_;
};

} // namespace popscope
