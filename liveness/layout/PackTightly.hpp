// Packs a tile that does not fit while each kind keeps to a region of its own. What asks for nothing lies across the
// borders of regions, then from address 0, and at last over the end; interleaved data moves up, to the end of memory or
// to where other data reaches it:
//
//   | code, stack, data ->                      <- interleaved |             | code, stack, data | interleaved | data
//   -> over
//
// Tried in this order until something fits; else the lowest of all.
#pragma once
#include "liveness/layout/PackHeap.hpp"

namespace popscope {

/// `spread`: addresses of the same problem that do not fit; they come back if nothing is lower. `maxNodes` as in
/// packHeap.
std::vector<std::uint64_t> packTightly(const HeapProblem &problem, std::uint64_t maxNodes,
                                       std::vector<std::uint64_t> spread);

} // namespace popscope
