// MappingOps: operations on tile mappings. The tile mapping of a variable (GraphVar::mapping) is a list of sorted,
// disjoint ranges.
#pragma once
#include "graph/ir/ViewOps.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace popscope {

/// Maps the ranges one after the other. If ranges overlap, the later range determines the tile of the common elements.
/// Cost for one or two ranges: O(log(mapping)) plus the number of mapped ranges that follow the new ranges. Cost for
/// three or more ranges: O(ranges + mapping) if the ranges are sorted and disjoint, and O(ranges * log(ranges) +
/// mapping) otherwise.
void overlayMapping(std::vector<MappedRange> &mapping, const std::vector<MappedRange> &ranges);

/// Returns the number of consecutive elements of `run`, from index i on, that lie in [lo, hi). Element i must lie in
/// [lo, hi).
[[nodiscard]] std::uint64_t lengthWithin(const ViewRun &run, std::uint64_t i, std::uint64_t lo, std::uint64_t hi);

/// Calls found(begin, end, tile) for the mapped parts of `run`, in ascending order of positions. [begin, end) is a
/// range of view positions; the run begins at view position `position`. Skips unmapped elements.
void forEachMapped(const std::vector<MappedRange> &mapping, const ViewRun &run, std::uint64_t position,
                   const std::function<void(std::uint64_t, std::uint64_t, TileId)> &found);

/// Returns a mapping of `elements` elements, in order, to `tiles`, in equal shares. If the division leaves a remainder,
/// the first tiles take one element more each.
[[nodiscard]] std::vector<MappedRange> linearMapping(std::uint64_t elements, const std::vector<TileId> &tiles);

} // namespace popscope
