// All parallel loops use these functions. Results do not depend on the number of threads. For this reason, each call of
// a loop's body usually writes only array elements that no other call writes. After the loop, the caller merges these
// elements serially, in index order. Other shared data (a flag, a sum, a cache) is atomic or protected by a mutex. The
// final value of this shared data must not depend on the order of the calls. Several callers may run loops at the same
// time, each with its own number of threads.
#pragma once
#include <cstddef>
#include <functional>

namespace popscope {

/// The number of threads of a loop. Each stage of Popscope gets this number from its options, because there is no
/// global setting.
struct Threads {
  unsigned wanted = 0; // 0: one thread per core that the process may use
  /// Returns the number of threads, from 1 to kMost.
  [[nodiscard]] unsigned count() const;
  static constexpr unsigned kMost = 256;
};

/// Calls body(i) on several threads, exactly once for each i in [0, n) if no call throws. If a call throws, skips the
/// later indices of the same task (a group of consecutive indices that one thread handles). After all threads have
/// stopped, rethrows the exception of the lowest index that threw. A loop of at most `grain` indices, or a loop for one
/// thread, runs on the calling thread. In any other loop, each task has at least `grain` / 2 indices, if possible.
void parallelFor(Threads threads, std::size_t n, const std::function<void(std::size_t)> &body, std::size_t grain = 1);

/// Calls body(begin, end) for disjoint ranges that cover [0, n). A range has at least `grain` / 2 indices, if possible.
void parallelRanges(Threads threads, std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)> &body);

} // namespace popscope
