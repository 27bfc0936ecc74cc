// Orders items for first fit. An item comes early if the item is large, lives long, or lives while memory is fullest.
#pragma once
#include "liveness/layout/PackProblem.hpp"

namespace popscope {

/// Returns the indices of the items by descending weight, then by ascending index. The weight of an item is bytes *
/// life^(1/5) * fullness^4. For the fullness, time is divided into slices. The bytes of a slice are the bytes of all
/// items that exist during at least a part of the slice. The fullness of an item is the largest number of bytes of a
/// slice in which the item exists. The length of a slice is a sixteenth to an eighth of the mean length of a span, but
/// at least 1. Compares approximate logarithms of the weights, and uses integers only. Cost: O(n) for n items if no
/// item lives much longer than the mean.
std::vector<std::uint32_t> decreasingWeight(const PackProblem &problem);

} // namespace popscope
