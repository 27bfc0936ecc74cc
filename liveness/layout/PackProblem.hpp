// The abstract packing problem: items with sizes and with times at which the items exist, and one endless memory from
// address 0. The literature calls this problem dynamic storage allocation or static memory planning. The problem is the
// input of FirstFit, SearchPacking and PackItems, and contains no tiles.
//
//   address ^   . . . . . . .
//           |   |  c  |         a and b exist together, so they do not overlap;
//           |   |a|  |  b   |   c rests on both.
//           +-------------------> time
//
// Here and in the heaps of a tile (PackHeap, TileHeap), addresses and sizes are plain numbers of bytes, because the
// packers compare addresses with sums of sizes millions of times. HeapBuilder converts Bytes to these numbers, and
// Placer converts the resulting addresses to Bytes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

/// The half-open range of times [begin, end). `begin` is less than `end`.
struct PackSpan {
  std::uint32_t begin = 0, end = 0;
};
struct PackItem {
  std::uint64_t bytes = 0;                   // > 0
  std::uint64_t alignment = 1;               // > 0
  std::uint32_t firstSpan = 0, numSpans = 0; // range in `spans`; these spans are ascending and do not touch. An item
                                             // without spans never exists
};
struct PackProblem {
  std::vector<PackItem> items;
  std::vector<PackSpan> spans;

  [[nodiscard]] std::span<const PackSpan> spansOf(const PackItem &item) const {
    return std::span<const PackSpan>(spans).subspan(item.firstSpan, item.numSpans);
  }
  /// Returns the length of the item's life: the number of times at which the item exists.
  [[nodiscard]] std::uint64_t lifeOf(const PackItem &item) const {
    std::uint64_t times = 0;
    for (const PackSpan &span : spansOf(item))
      times += span.end - span.begin;
    return times;
  }
  void add(std::uint64_t bytes, std::uint64_t alignment, PackSpan only) {
    items.push_back({bytes, alignment, static_cast<std::uint32_t>(spans.size()), 1});
    spans.push_back(only);
  }
  /// Returns the problem that consists of these items only, in this order.
  [[nodiscard]] PackProblem partOf(std::span<const std::uint32_t> some) const;
};

/// Returns the largest total size of items that exist at the same time. No packing has a lower peak. Cost: O(n log n)
/// for n spans.
std::uint64_t packLowerBound(const PackProblem &problem);
/// Returns the highest end of all items, if addresses[i] is the address of item i. Returns 0 if there are no items.
std::uint64_t packPeak(const PackProblem &problem, const std::vector<std::uint64_t> &addresses);
/// Returns the smallest multiple of `alignment` (> 0) that is not below `value`.
inline std::uint64_t roundUpTo(std::uint64_t value, std::uint64_t alignment) {
  if ((alignment & (alignment - 1)) == 0)
    return (value + alignment - 1) & ~(alignment - 1);
  return (value + alignment - 1) / alignment * alignment;
}

} // namespace popscope
