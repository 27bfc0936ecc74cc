// One tile's heap: gives each item an address in the zones of its kind. The packer proper (PackItems) knows neither
// zones nor kinds; this file lays out what never shares, and hands what shares to it.
#pragma once
#include "liveness/data/LiveRanges.hpp"
#include "liveness/layout/MemoryZones.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace popscope {

struct HeapItem {
  std::uint64_t bytes = 0; // > 0
  std::uint64_t alignment = 1;
  Placement placement = Placement::Data;
  LiveClassId occupied{1}; // class 1 = never shares its place
  std::uint64_t limit = 0; // it ends at or below this address, unless overflowed; 0 = anywhere
};
/// `zones` and `ranges` must outlive it.
struct HeapProblem {
  const MemoryZones *zones = nullptr;
  const LiveRanges *ranges = nullptr;
  std::vector<HeapItem> items;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> apart; // items that share no memory element, unless overflowed
};

/// Addresses in the order of the items. Two items overlap only when their occupied classes do not meet; an item of
/// class 1 overlaps none (not even one that is never occupied). Stack, then code, then interleaved, then other data;
/// in each first those that never share; in each of these first what has a limit or must lie apart. First fit by
/// decreasing size, by life or by start, whichever ends lowest; the latter two only where the first leaves room for
/// improvement. `maxNodes` > 0: then the data that shares, interleaved and other, is searched for a lower place (see
/// PackItems), unless a limit or another item binds it.
std::vector<std::uint64_t> packHeap(const HeapProblem &problem, std::uint64_t maxNodes = 0);

/// No packing ends lower: the most bytes that exist at one time. What begins at multiples of an alignment takes whole
/// ones.
std::uint64_t heapLowerBound(const HeapProblem &problem);

/// Highest end of an item in all memory, then in memory that is not interleaved: what packHeap makes small.
std::pair<std::uint64_t, std::uint64_t> heapHeight(const HeapProblem &problem,
                                                   const std::vector<std::uint64_t> &addresses);

} // namespace popscope
