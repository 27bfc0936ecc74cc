#include "report/pop/StepQueue.hpp"

#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kBatchSteps = 16, kBatchTiles = std::size_t(1) << 20; // numbers by tile of a batch
constexpr std::size_t kMostWaiting = 16;                                    // batches

} // namespace

StepQueue::~StepQueue() {
  try {
    wait();
  } catch (...) { // was thrown to whoever could do something about it, or nobody asked
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

void StepQueue::push(const StepRecord &step) {
  batch_.push_back(step);
  batchTiles_ += step.cyclesByTile.size();
  if (batch_.size() >= kBatchSteps || batchTiles_ >= kBatchTiles)
    hand();
}

void StepQueue::hand() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting; });
    waiting_.push_back(std::exchange(batch_, {}));
  }
  batch_.reserve(kBatchSteps);
  batchTiles_ = 0;
  changed_.notify_all();
  if (!thread_.joinable())
    thread_ = std::thread([this] { run(); });
  rethrow();
}

void StepQueue::wait() {
  if (!thread_.joinable()) { // nothing was handed over yet
    const Batch rest = std::exchange(batch_, {});
    batchTiles_ = 0;
    for (const StepRecord &step : rest)
      write_(step);
    return;
  }
  if (!batch_.empty())
    hand();
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

void StepQueue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty())
      return;
    const Batch batch = std::move(waiting_.front());
    waiting_.pop_front();
    writing_ = true;
    lock.unlock();
    changed_.notify_all();
    writeAll(batch);
    lock.lock();
    writing_ = false;
    changed_.notify_all();
  }
}

void StepQueue::writeAll(const Batch &batch) {
  try {
    for (const StepRecord &step : batch)
      write_(step);
  } catch (...) {
    const std::lock_guard guard(mutex_);
    failure_ = std::current_exception();
  }
}

} // namespace popscope
