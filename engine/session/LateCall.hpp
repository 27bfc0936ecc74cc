// LateCall: calls a function on a separate thread, a fixed time after a request. Before this call begins, a further
// request has no effect and costs almost nothing.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace popscope {

class LateCall {
public:
  LateCall(std::chrono::milliseconds after, std::function<void()> call) : after_(after), call_(std::move(call)) {}
  /// Waits for a call that has begun, and drops a call that has not begun.
  ~LateCall();
  LateCall(const LateCall &) = delete;
  LateCall &operator=(const LateCall &) = delete;

  /// Requests a call. The first request starts the thread.
  void ask() {
    if (!asked_.exchange(true))
      wake();
  }

private:
  void wake();
  void run();

  std::chrono::milliseconds after_;
  std::function<void()> call_;
  std::atomic<bool> asked_ = false;
  std::mutex mutex_; // protects ends_, and the thread's sleep
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace popscope
