#include "liveness/layout/PackProblem.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

PackProblem PackProblem::partOf(std::span<const std::uint32_t> some) const {
  PackProblem part;
  for (const std::uint32_t i : some) {
    const auto times = spansOf(items[i]);
    part.items.push_back(items[i]);
    part.items.back().firstSpan = static_cast<std::uint32_t>(part.spans.size());
    part.spans.insert(part.spans.end(), times.begin(), times.end());
  }
  return part;
}

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
