// The one seam for parallel work. Bodies write to their own pre-sized slot; callers merge serially
// in index order, so that the bytes that come out do not depend on the number of threads. Work of several callers may
// run at the same time, each with its own number.
#pragma once
#include <cstddef>
#include <functional>

namespace popscope {

/// How many threads a piece of work may take. Each stage is told by its options; nothing in the process remembers it.
struct Threads {
  unsigned wanted = 0; // 0 = as many as the machine has
  /// Never 0; at most kMost.
  [[nodiscard]] unsigned count() const;
  static constexpr unsigned kMost = 256;
};

/// Calls body(i) for every i in [0, n), on several threads, each i exactly once. The first exception
/// by index order among those thrown is rethrown after all threads have stopped.
/// `grain`: how many consecutive indices one task takes at least.
void parallelFor(Threads threads, std::size_t n, const std::function<void(std::size_t)> &body, std::size_t grain = 1);

/// Calls body(begin, end) for disjoint ranges that cover [0, n).
void parallelRanges(Threads threads, std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)> &body);

} // namespace popscope
