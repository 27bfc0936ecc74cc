// What a list of whole numbers looks like: count, sum, extremes, mean and percentiles, all whole numbers, exact but for
// one rounding.
//
// A percentile lies between two of the sorted numbers and is interpolated linearly (of n numbers the one at (n - 1) p,
// as pandas and NumPy do without further words); it and the mean are rounded to the nearest whole number, halves up.
#pragma once
#include <cstdint>
#include <vector>

namespace popscope {

struct Statistics {
  std::uint64_t count = 0, sum = 0, min = 0, mean = 0, median = 0, max = 0, p90 = 0, p95 = 0, p97 = 0, p99 = 0,
                p999 = 0;
};

/// `values` is not empty. Throws AnswerError if their sum is 2^64 or more: no profile's is.
[[nodiscard]] Statistics statisticsOf(std::vector<std::uint64_t> values);

} // namespace popscope
