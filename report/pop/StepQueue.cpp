#include "report/pop/StepQueue.hpp"

#include <utility>

namespace popscope {
namespace {

// limits of a batch: steps, and numbers per tile
constexpr std::size_t kBatchSteps = 64, kBatchTiles = std::size_t(1) << 20;
constexpr std::size_t kMaxWaiting = 16; // maximum number of waiting batches

} // namespace

StepQueue::~StepQueue() {
  try {
    wait();
  } catch (...) { // push or wait has already thrown this error, or no caller waits
  }
  if (!thread_.joinable())
    return;
  {
    const std::lock_guard guard(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StepQueue::push(QueuedStep step) {
  if (step.record && !step.again) // a repeated step already exists
    batchTiles_ += step.record->cyclesByTile.size();
  batch_.push_back(std::move(step));
  if (batch_.size() >= kBatchSteps || batchTiles_ >= kBatchTiles)
    hand();
}

void StepQueue::hand() { beside_ ? handOver() : writeHere(); }

void StepQueue::writeHere() {
  const Batch batch = std::exchange(batch_, {});
  batchTiles_ = 0;
  writeAll(batch);
}

void StepQueue::handOver() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kMaxWaiting; });
    waiting_.push_back(std::exchange(batch_, {}));
  }
  batch_.reserve(kBatchSteps);
  batchTiles_ = 0;
  changed_.notify_all();
  beginThread();
  rethrow();
}

void StepQueue::wait() {
  if (!thread_.joinable()) // nothing was handed over yet
    return writeHere();
  if (!batch_.empty())
    handOver();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.empty() && !writing_; });
  }
  rethrow();
}

void StepQueue::rethrow() {
  std::exception_ptr failure;
  {
    const std::lock_guard guard(mutex_);
    failure = std::exchange(failure_, nullptr);
  }
  if (failure)
    std::rethrow_exception(failure);
}

void StepQueue::callAt(std::chrono::steady_clock::time_point when, std::function<void()> what) {
  {
    const std::lock_guard guard(mutex_);
    callAt_ = when;
    call_ = std::move(what);
  }
  changed_.notify_all();
  beginThread();
}

void StepQueue::forgetCall() {
  const std::lock_guard guard(mutex_);
  callAt_.reset();
  call_ = nullptr;
}

// The new thread may call callAt() at once. The lock makes the thread wait until thread_ is set. Without the lock, the
// thread could begin a second thread.
void StepQueue::beginThread() {
  const std::lock_guard guard(mutex_);
  if (!thread_.joinable())
    thread_ = std::thread([this] { run(); });
}

void StepQueue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto wakes = [&] { return ends_ || !waiting_.empty(); };
    if (callAt_ && !wakes()) { // waits with a copy of the time, because callAt_ may change
      const auto when = *callAt_;
      changed_.wait_until(lock, when);
    } else {
      changed_.wait(lock, [&] { return wakes() || callAt_; });
    }
    Batch batch;
    std::function<void()> call;
    if (!waiting_.empty()) {
      batch = std::move(waiting_.front());
      waiting_.pop_front();
    } else if (ends_) {
      return;
    } else if (callAt_ && std::chrono::steady_clock::now() >= *callAt_) {
      callAt_.reset();
      call = std::exchange(call_, nullptr);
    } else {
      continue;
    }
    writing_ = true;
    lock.unlock();
    changed_.notify_all();
    keepFailure([&] { call ? call() : writeAll(batch); });
    lock.lock();
    writing_ = false;
    changed_.notify_all();
  }
}

void StepQueue::writeAll(const Batch &batch) {
  for (const QueuedStep &step : batch)
    step.record ? write_(step) : step.other();
}

void StepQueue::keepFailure(const std::function<void()> &of) {
  try {
    of();
  } catch (...) {
    const std::lock_guard guard(mutex_);
    failure_ = std::current_exception();
  }
}

} // namespace popscope
