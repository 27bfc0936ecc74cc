// UniteRanges: turns half-open ranges in any order into disjoint ranges.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace popscope {

/// Sorts ranges with members `begin` and `end`, joins ranges that overlap or touch, and drops empty ranges.
template <class Range> void uniteRanges(std::vector<Range> &ranges) {
  const auto before = [](const Range &a, const Range &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  };
  if (!std::is_sorted(ranges.begin(), ranges.end(), before))
    std::sort(ranges.begin(), ranges.end(), before);
  std::size_t kept = 0;
  for (const Range &r : ranges)
    if (kept != 0 && r.begin <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, r.end);
    else if (r.begin < r.end)
      ranges[kept++] = r;
  ranges.resize(kept);
}

/// Calls uniteRanges(). Returns the sum of the lengths of the resulting ranges.
template <class Range> [[nodiscard]] std::uint64_t coveredElements(std::vector<Range> &ranges) {
  uniteRanges(ranges);
  std::uint64_t covered = 0;
  for (const Range &r : ranges)
    covered += r.end - r.begin;
  return covered;
}

} // namespace popscope
