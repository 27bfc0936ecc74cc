// In which order first fit takes the items. Whatever is large, lives long and lives in full times is hard to place
// late.
#pragma once
#include "liveness/layout/PackProblem.hpp"

namespace popscope {

/// Highest weight first, then index: the weight is bytes * life^(1/5) * fullness^4, where fullness is the most bytes
/// that exist during the item's life, told apart to a fraction of a mean life. Integers only. O(n) but for items that
/// live much longer than the mean.
std::vector<std::uint32_t> decreasingWeight(const PackProblem &problem);
/// Largest first, then longest life, then earliest start, then index.
std::vector<std::uint32_t> decreasingSize(const PackProblem &problem);

} // namespace popscope
