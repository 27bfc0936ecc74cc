// StepQueue: collects the steps and other records of a run, and writes them in batches. Writing after each step would
// displace the program's data from the processor's caches. The queue writes its steps and records in the order of their
// arrival. PopWriter writes other rows only when the queue is empty. So the file is the same with and without the
// optional writing thread, which writes while the program continues.
//
//   push --> batch --(full)--> write(step)
//                  `---------> waiting batches --> thread: write(step)
//
// With writeBeside(), the thread starts when the first batch is full, or at the first call of hand(). callAt() always
// starts the thread.
#pragma once
#include "instrument/profile/Records.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace popscope {

/// A step as ProfileSink receives the step, or another task of the queue.
struct QueuedStep {
  std::shared_ptr<const StepRecord> record;
  bool again = false;
  Cycles later{};
  std::function<void()> other{}; // the task; `record` is then null
};

/// A queue of steps to write. Only one thread may call push, hand and wait. This thread and the writing thread may call
/// callAt.
class StepQueue {
public:
  explicit StepQueue(std::function<void(const QueuedStep &)> write) : write_(std::move(write)) {}
  /// Makes the queue pass its next batches to a writing thread.
  void writeBeside() { beside_ = true; }
  /// Writes the remaining steps, and discards errors.
  ~StepQueue();
  StepQueue(const StepQueue &) = delete;
  StepQueue &operator=(const StepQueue &) = delete;

  /// Adds a step. Waits if the writing thread is far behind. If the queue could not write this step or an earlier step,
  /// throws the error of that write. The steps that follow the failed step in its batch are lost.
  void push(QueuedStep step);
  /// Passes the pushed steps to the writing thread, even if the batch is not full. Without writeBeside(), writes the
  /// steps in the calling thread. Throws the exceptions of push().
  void hand();
  /// Waits until the writing thread has written all steps. If the thread has not started, writes the steps in the
  /// calling thread. Throws as push does.
  void wait();
  [[nodiscard]] bool isBeside() const { return beside_; }
  /// Makes the writing thread call `what` at the time `when`, or later if the thread is still writing at that time.
  /// Replaces the task of an earlier call of callAt.
  void callAt(std::chrono::steady_clock::time_point when, std::function<void()> what);
  /// Cancels the task of callAt.
  void forgetCall();

private:
  using Batch = std::vector<QueuedStep>;
  void handOver();
  void writeHere();
  void run();
  void writeAll(const Batch &batch);
  void keepFailure(const std::function<void()> &of);
  void beginThread();
  void rethrow();

  std::function<void(const QueuedStep &)> write_;
  bool beside_ = false;
  Batch batch_; // the batch that the pushing thread fills
  std::size_t batchTiles_ = 0;

  std::mutex mutex_; // protects the members below
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  bool writing_ = false, ends_ = false;
  std::optional<std::chrono::steady_clock::time_point> callAt_;
  std::function<void()> call_;
  std::exception_ptr failure_;
  std::thread thread_;
};

} // namespace popscope
