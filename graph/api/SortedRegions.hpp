// SortedRegions: the order of a view's elements in memory, as groups of intervals of the view
// (Graph::getSortedContiguousRegions).
#pragma once
#include "graph/ir/ViewOps.hpp"

#include <cstddef>
#include <poplar/Interval.hpp>
#include <vector>

namespace popscope {

/// Groups `pieces`, which must be sorted by variable, element and position. Each group of the result is contiguous in
/// memory. If a part of a variable occurs several times, the result contains all pieces of one occurrence before the
/// pieces of the next occurrence:
///   elements   0 1 2 0 1 2     (positions 0 to 5)  ->  {[0,3)} {[3,6)}
/// The first piece that contains an element represents the element. With `removeAliases`, the result contains each
/// element only once, in the piece that represents the element. If `aliases` is not null, `aliases` receives one
/// position for each interval: the position at which the representing piece contains the interval's first element.
/// Cost: n log n for n pieces.
std::vector<std::vector<poplar::Interval>> sortedRegions(const std::vector<ViewPiece> &pieces, bool removeAliases,
                                                         std::vector<std::size_t> *aliases);

} // namespace popscope
