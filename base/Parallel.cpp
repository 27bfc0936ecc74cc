#include "base/Parallel.hpp"

#include "base/Interrupt.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#ifdef POPSCOPE_JTHREAD_BACKEND
#include <atomic>
#include <sched.h>
#include <vector>
#else
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace popscope {
namespace {

// Returns the number of cores that this process may use, which is also the number of workers that TBB provides. In a
// container or under taskset, the machine has more cores than this.
unsigned usableCores() {
#ifdef POPSCOPE_JTHREAD_BACKEND
  cpu_set_t cores;
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? static_cast<unsigned>(std::max(1, CPU_COUNT(&cores))) : 1U;
#else
  return static_cast<unsigned>(std::max(1, tbb::info::default_concurrency()));
#endif
}

#ifndef POPSCOPE_JTHREAD_BACKEND
// Makes TBB provide more workers than there are cores. Without this control TBB provides fewer workers and warns on
// stderr. The control serves the whole process, and exists from the first request for more workers. It sets one limit
// for all callers, because the limit of one caller would affect the other callers, too.
void allowMoreThanCores() {
  static const tbb::global_control control(tbb::global_control::max_allowed_parallelism, Threads::kMost);
}
#endif

// Keeps the exception of the lowest range, so that the reported error does not depend on timing as long as the same
// bodies throw.
class FirstError {
public:
  void record(std::size_t at) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_ || at < at_) {
      error_ = std::current_exception();
      at_ = at;
    }
  }
  void rethrow() const {
    if (error_)
      std::rethrow_exception(error_);
  }

private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t at_ = 0;
};

} // namespace

unsigned Threads::count() const { return std::min(kMost, wanted != 0 ? wanted : usableCores()); }

void parallelRanges(Threads allowed, std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)> &body) {
  checkInterrupt();
  if (n == 0)
    return;
  grain = std::max<std::size_t>(grain, 1);
  const unsigned threads = allowed.count();
  if (threads == 1 || n <= grain) {
    body(0, n);
    return;
  }
  FirstError errors;
  const auto guarded = [&](std::size_t begin, std::size_t end) {
    try {
      body(begin, end);
    } catch (...) {
      errors.record(begin);
    }
  };
#ifdef POPSCOPE_JTHREAD_BACKEND
  std::atomic<std::size_t> next{0};
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t)
      workers.emplace_back([&] {
        for (;;) {
          const std::size_t begin = next.fetch_add(grain);
          if (begin >= n)
            return;
          guarded(begin, std::min(n, begin + grain));
        }
      });
  }
#else
  if (threads > usableCores())
    allowMoreThanCores();
  const auto work = [&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                      [&](const tbb::blocked_range<std::size_t> &r) { guarded(r.begin(), r.end()); });
  };
  // In the calling thread's own arena, workers linger for the next call. Starting workers of a new arena costs 30 us
  // and more, which is as long as a compute set takes. The work is isolated: a thread that waits here takes no task
  // from an outer level.
  if (static_cast<int>(threads) == tbb::this_task_arena::max_concurrency())
    tbb::this_task_arena::isolate(work);
  else
    tbb::task_arena(static_cast<int>(threads)).execute(work);
#endif
  errors.rethrow();
}

void parallelFor(Threads threads, std::size_t n, const std::function<void(std::size_t)> &body, std::size_t grain) {
  parallelRanges(threads, n, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      body(i);
  });
}

} // namespace popscope
