// The one seam for parallel work. Bodies write to their own pre-sized slot; callers merge serially
// in index order, so that the bytes that come out do not depend on the number of threads.
#pragma once
#include <cstddef>
#include <functional>

namespace popscope {

/// Calls body(i) for every i in [0, n), on several threads, each i exactly once. The first exception
/// by index order among those thrown is rethrown after all threads have stopped.
/// `grain`: how many consecutive indices one task takes at least.
void parallelFor(std::size_t n, const std::function<void(std::size_t)> &body, std::size_t grain = 1);

/// Calls body(begin, end) for disjoint ranges that cover [0, n).
void parallelRanges(std::size_t n, std::size_t grain, const std::function<void(std::size_t, std::size_t)> &body);

/// Number of threads used from now on; 0 = as many as the machine has. Not to be called while work runs.
void setParallelThreads(unsigned threads);
[[nodiscard]] unsigned parallelThreads();

} // namespace popscope
