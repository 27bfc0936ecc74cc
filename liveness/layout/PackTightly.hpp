// Packs a tile that does not fit if each kind of allocation has its own region.
//
// Idea: items without a required region may lie across the borders of regions (1). If this is not enough, these items
// may also begin at address 0 (2), and finally continue past the end of memory. Interleaved data moves up to the end of
// memory (a), or directly above the other data (b):
//
//   (a)  | code, stack, data ->                      <- interleaved |
//   (b)  | code, stack, data | interleaved | data ->               over the end
//
// packTightly() tries the combinations in this order until a packing fits. If no packing fits, the lowest packing wins.
#pragma once
#include "liveness/layout/PackHeap.hpp"

namespace popscope {

/// Returns the addresses. `spread` contains the addresses of a packing that does not fit. packTightly() returns
/// `spread` if it finds no lower packing. `maxNodes` is as in packHeap.
std::vector<std::uint64_t> packTightly(const HeapProblem &problem, std::uint64_t maxNodes,
                                       std::vector<std::uint64_t> spread);

} // namespace popscope
