// CPU time of the process. Benchmarks alternate two measurements and report the ratio of their CPU times. This ratio is
// stable even on a machine under load.
#pragma once
#include <algorithm>
#include <ctime>
#include <vector>

namespace bench {

/// Returns the CPU time that the process has used so far, in seconds.
inline double cpuTime() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
template <class Work> double cpuTimeOf(const Work &work) {
  const double start = cpuTime();
  work();
  return cpuTime() - start;
}
inline double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

} // namespace bench
