// Steps on their way to the file, written by a thread of their own while the program goes on. They are written in the
// order in which they come, and everything else waits until they are, so the file is the same as without the thread.
//
//   push --> batch --(full)--> waiting batches --> thread: write(step)
//
// The thread begins with the first full batch: a short program has none.
#pragma once
#include "instrument/profile/Records.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace popscope {

/// push and wait are called by one thread.
class StepQueue {
public:
  explicit StepQueue(std::function<void(const StepRecord &)> write) : write_(std::move(write)) {}
  /// What waits still is written; errors of that are lost.
  ~StepQueue();
  StepQueue(const StepQueue &) = delete;
  StepQueue &operator=(const StepQueue &) = delete;

  /// Waits where the thread is far behind. Throws what writing an earlier step threw; those behind it in its batch are
  /// dropped.
  void push(const StepRecord &step);
  /// Until all are written. Throws as push.
  void wait();

private:
  using Batch = std::vector<StepRecord>;
  void hand();
  void run();
  void writeAll(const Batch &batch);
  void rethrow();

  std::function<void(const StepRecord &)> write_;
  Batch batch_; // of the thread that pushes
  std::size_t batchTiles_ = 0;

  std::mutex mutex_; // of what follows
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  bool writing_ = false, ends_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

} // namespace popscope
