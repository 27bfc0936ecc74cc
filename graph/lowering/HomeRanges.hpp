// HomeRanges: byte ranges of homes, with an overlap query. joinRanges joins the ranges before the first query, because
// a copy of single elements gives millions of ranges. If a home has many ranges close together, joinRanges uses a
// bitmap with one bit per byte, from the first to the last of these ranges.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"

#include <vector>

namespace popscope {

struct HomeRange {
  HomeId home;
  Bytes32 begin, end; // half-open; a home has fewer than 4 GiB
};
inline HomeRange homeRange(HomeId home, Bytes offset, Bytes bytes) {
  return {home, narrow(offset), narrow(offset + bytes)};
}

/// Sorts the ranges, removes empty ranges, and joins ranges that overlap or touch. Cost: linear if the ranges are
/// dense, and otherwise n log n.
void joinRanges(std::vector<HomeRange> &ranges);

/// A set of home ranges in levels. Each level is sorted and joined as by joinRanges, and has more than twice as many
/// ranges as the next level.
class HomeRanges {
public:
  /// Adds ranges, which joinRanges must have joined. Cost of all calls together: O(n log n), where n is the number of
  /// all added ranges.
  void add(std::vector<HomeRange> joined);
  /// Returns whether any range of `ranges` overlaps an added range. No range of `ranges` may be empty.
  [[nodiscard]] bool meet(const std::vector<HomeRange> &ranges) const;

private:
  std::vector<std::vector<HomeRange>> levels_;
};

} // namespace popscope
