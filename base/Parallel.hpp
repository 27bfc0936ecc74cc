// The only place for parallel work. Bodies write to their own pre-sized slot, and callers merge serially in index
// order, so that results do not depend on the number of threads. Work of several callers may run at the same time, each
// with its own number of threads.
#pragma once
#include <cstddef>
#include <functional>

namespace popscope {

/// The number of threads for a piece of work. Each stage gets it from its options; there is no global setting.
struct Threads {
  unsigned wanted = 0; // 0 = as many as the host has
  /// Returns the number of threads, at least 1 and limited above.
  [[nodiscard]] unsigned count() const;
  static constexpr unsigned kMost = 256;
};

/// Calls body(i) for every i in [0, n), on several threads, each i exactly once. Rethrows the first exception by index
/// order after all threads have stopped. `grain`: the minimum number of consecutive indices per task.
void parallelFor(Threads threads, std::size_t n, const std::function<void(std::size_t)> &body, std::size_t grain = 1);

/// Calls body(begin, end) for disjoint ranges that cover [0, n).
void parallelRanges(Threads threads, std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)> &body);

} // namespace popscope
