// Statistics of a list of whole numbers: count, sum, minimum, maximum, mean and percentiles. All are whole numbers,
// exact except for one rounding.
//
// A percentile lies between two of the sorted numbers and is interpolated linearly at place (n - 1) p of n numbers, as
// pandas and NumPy do by default. It and the mean are rounded to the nearest whole number, halves up.
#pragma once
#include <cstdint>
#include <vector>

namespace popscope {

struct Statistics {
  std::uint64_t count = 0, sum = 0, min = 0, mean = 0, median = 0, max = 0, p90 = 0, p95 = 0, p97 = 0, p99 = 0,
                p999 = 0;
};

/// Returns the statistics. `values` must not be empty. Throws AnswerError if their sum is 2^64 or more, which no
/// profile has.
[[nodiscard]] Statistics statisticsOf(std::vector<std::uint64_t> values);

} // namespace popscope
