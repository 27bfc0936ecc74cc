// Packs one tile's heap: gives each item an address in the zones of its kind, by first fit in several orders.
// PackItems, which knows neither zones nor kinds, may then find a lower packing of the items that share addresses.
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
  LiveClassId occupied{1}; // class 1: never shares its addresses
  std::uint64_t limit = 0; // the item ends at or below this address, unless it overflows; 0 = no limit
};
/// A tile's packing problem. `zones` and `ranges` must outlive the problem.
struct HeapProblem {
  const MemoryZones *zones = nullptr;
  const LiveRanges *ranges = nullptr;
  std::vector<HeapItem> items;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> apart; // pairs of items that must not share a memory element,
                                                              // unless one of the two is overflowed
};

/// Returns one address per item.
///
/// Two items may share addresses only if their occupied classes have no step in common. An item of class 1 shares its
/// addresses with no other item, not even with an item that is never occupied. Items are placed by kind: stack, code,
/// interleaved, other data. Within a kind, items that never share their addresses come before other items. In each of
/// these two groups, bound items come first. An item is bound if it has a limit or belongs to a pair of `apart`.
///
/// First fit places the items that may share addresses in the order of decreasing size. If the result is above the
/// lower bound, first fit also runs with two other orders of these items: longest life first, and earliest begin first.
/// If a bound item lies past the end of memory, first fit also runs with the bound items before all other items. The
/// result with the fewest bytes of bound items past the end of memory wins. Among equal results, the result with the
/// smallest heapHeight() wins. If no result of first fit fits into memory, packHeap() returns the result of
/// packTightly(). If a result fits into memory, `maxNodes` > 0 and no item is bound, PackItems searches for lower
/// places for the items that share addresses.
std::vector<std::uint64_t> packHeap(const HeapProblem &problem, std::uint64_t maxNodes = 0);

/// Returns a lower bound of the height of every packing: the largest of several numbers. The first number is the most
/// bytes that exist at one time. If the size of an item is not a multiple of the item's alignment A, this alignment
/// gives a further number, as follows. Take all items whose alignment is a multiple of A, and round their sizes up to
/// multiples of A. Find the most bytes of these items that exist at one time. The number is smaller than these bytes by
/// A - 1, because the highest item needs no padding.
std::uint64_t heapLowerBound(const HeapProblem &problem);

/// Returns the two numbers that packHeap() minimises, the more important number first. The first number is the highest
/// end of all items. The second number is the highest end of the items that begin in the non-interleaved region.
std::pair<std::uint64_t, std::uint64_t> heapHeight(const HeapProblem &problem,
                                                   const std::vector<std::uint64_t> &addresses);

} // namespace popscope
