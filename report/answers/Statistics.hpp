// Statistics of a list of whole numbers: count, sum, minimum, maximum, mean and percentiles. All results are whole
// numbers.
//
// Percentile p of n sorted numbers is interpolated linearly at position (n - 1) * p / 100, counted from 0, as pandas
// and NumPy do by default. Percentiles and the mean are rounded to the nearest whole number, halves up; the other
// results are exact.
#pragma once
#include <cstdint>
#include <vector>

namespace popscope {

struct Statistics {
  std::uint64_t count = 0, sum = 0, min = 0, mean = 0, median = 0, max = 0, p90 = 0, p95 = 0, p97 = 0, p99 = 0,
                p999 = 0;
};

/// Returns the statistics. `values` must not be empty. Throws AnswerError if the sum is 2^64 or more, which occurs only
/// in a corrupt profile.
[[nodiscard]] Statistics statisticsOf(std::vector<std::uint64_t> values);

} // namespace popscope
