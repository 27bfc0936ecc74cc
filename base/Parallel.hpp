// All parallel loops use these functions. Each call of a loop's body writes only to its own elements of existing
// arrays. The caller merges these elements serially, in index order, so that results do not depend on the number of
// threads. Several callers may run work at the same time, each with its own number of threads.
#pragma once
#include <cstddef>
#include <functional>

namespace popscope {

/// The number of threads for a piece of work. Each stage gets this number from its own options; there is no global
/// setting.
struct Threads {
  unsigned wanted = 0; // 0 = one per core that the process may use
  /// Returns the number of threads, from 1 to kMost.
  [[nodiscard]] unsigned count() const;
  static constexpr unsigned kMost = 256;
};

/// Calls body(i) on several threads, exactly once for each i in [0, n). If bodies throw, rethrows the exception with
/// the lowest index after all threads have stopped. `grain` is the minimum number of consecutive indices per task.
void parallelFor(Threads threads, std::size_t n, const std::function<void(std::size_t)> &body, std::size_t grain = 1);

/// Calls body(begin, end) for disjoint ranges that cover [0, n), with at least `grain` indices per range if possible.
void parallelRanges(Threads threads, std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)> &body);

} // namespace popscope
