// Packs a tile whose allocations do not fit into a separate region for each kind of allocation.
//
// Idea: with Spread::AcrossRegions, an item without a required region may lie across the border of two regions. With
// Spread::FromZero, such an item may also begin at address 0. In each of these two spreads, interleaved data has one of
// three places:
//
//   from the start of its region upwards       | code, stack, data | interleaved -> | data ->
//   from the end of its region downwards       | code, stack, data ->                <- interleaved |
//   mixed with the other data in one order     | code, stack, data ->      | interleaved and data ->
//
// packTightly() tries first fit with AcrossRegions and then with FromZero, until a packing fits. For each of the two
// spreads, packTightly() tries the three places in the order above. If no packing fits and `maxNodes` > 0, a search
// follows. If still no packing fits, the packing with the fewest bytes of bound items past the end of memory wins
// (packHeap() defines bound items). Among packings with the same number of these bytes, the packing that ends at the
// lowest address wins.
#pragma once
#include "liveness/layout/PackHeap.hpp"

namespace popscope {

/// Returns one address per item. `spread` contains the addresses of a packing that does not fit. packTightly() returns
/// `spread` if it finds no better packing. The limit on the nodes of the search depends on `maxNodes`. If `maxNodes` is
/// 0, no search runs.
std::vector<std::uint64_t> packTightly(const HeapProblem &problem, std::uint64_t maxNodes,
                                       std::vector<std::uint64_t> spread);

} // namespace popscope
