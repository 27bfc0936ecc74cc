#include "liveness/layout/PackProblem.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

std::uint64_t packLowerBound(const PackProblem &problem) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> begins, ends; // (time, bytes)
  begins.reserve(problem.spans.size());
  ends.reserve(problem.spans.size());
  for (const PackItem &item : problem.items)
    for (const PackSpan &span : problem.spansOf(item)) {
      begins.emplace_back(span.begin, item.bytes);
      ends.emplace_back(span.end, item.bytes);
    }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  std::uint64_t now = 0, peak = 0;
  std::size_t ended = 0;
  for (const auto &[time, bytes] : begins) {
    for (; ended < ends.size() && ends[ended].first <= time; ++ended)
      now -= ends[ended].second;
    now += bytes;
    peak = std::max(peak, now);
  }
  return peak;
}

std::uint64_t packPeak(const PackProblem &problem, const std::vector<std::uint64_t> &addresses) {
  std::uint64_t peak = 0;
  for (std::size_t i = 0; i < problem.items.size(); ++i)
    peak = std::max(peak, addresses[i] + problem.items[i].bytes);
  return peak;
}

} // namespace popscope
