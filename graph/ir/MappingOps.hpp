// MappingOps: which tile holds which elements of a variable, as sorted disjoint ranges (GraphVar::mapping).
#pragma once
#include "graph/ir/ViewOps.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace popscope {

/// Puts one range after the other over what `mapping` said: where two meet, the later holds. O(log(mapping)) for one or
/// two, where few lie behind them; O(ranges + mapping) for more that are sorted and disjoint, and a logarithm of the
/// ranges more for others.
void overlayMapping(std::vector<MappedRange> &mapping, const std::vector<MappedRange> &ranges);

/// Calls found(begin, end, tile) for the view positions [begin, end) of `run`, which starts at view position
/// `position`, in ascending order; unmapped elements are left out.
void forEachMapped(const std::vector<MappedRange> &mapping, const ViewRun &run, std::uint64_t position,
                   const std::function<void(std::uint64_t, std::uint64_t, TileId)> &found);

/// Returns `elements` in order over `tiles`, in equal shares; the first tiles take one more if the division leaves a
/// rest.
[[nodiscard]] std::vector<MappedRange> linearMapping(std::uint64_t elements, const std::vector<TileId> &tiles);

} // namespace popscope
