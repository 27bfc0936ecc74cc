// Packs a tile that does not fit while each kind keeps to a region of its own.
//
// Idea: items without a required region may lie across the borders of regions (1), then also from address 0 on (2), and
// at last past the end of memory. Interleaved data moves up, to the end of memory (a) or to the address that other data
// reaches from below (b):
//
//   (a)  | code, stack, data ->                      <- interleaved |
//   (b)  | code, stack, data | interleaved | data ->               over the end
//
// The combinations are tried in this order until something fits; otherwise the lowest result wins.
#pragma once
#include "liveness/layout/PackHeap.hpp"

namespace popscope {

/// Returns the addresses. `spread`: the addresses of a packing that does not fit; they are the result if no other is
/// lower. `maxNodes` as in packHeap.
std::vector<std::uint64_t> packTightly(const HeapProblem &problem, std::uint64_t maxNodes,
                                       std::vector<std::uint64_t> spread);

} // namespace popscope
