// UniteRanges: turns half-open ranges in any order into disjoint ranges.
#pragma once
#include <algorithm>
#include <cstddef>
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

} // namespace popscope
