// The packing problem alone: items with a size and times at which they exist, one endless memory from address 0.
// In the literature: dynamic storage allocation, or static memory planning. Input of FirstFit, SearchPacking and
// PackItems; knows nothing of tiles. Here and in the heaps of a tile (PackHeap, TileHeap) addresses and sizes are plain
// numbers of bytes: all that is done with them is to compare the one with a sum of the others, millions of times.
// HeapBuilder takes the unit away, and Placer puts it back.
//
//   address ^   . . . . . . .
//           |   |  c  |         a and b meet in time, so they lie apart;
//           |   |a|  |  b   |   c rests on both.
//           +-------------------> time
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

/// Times [begin, end), begin < end.
struct PackSpan {
  std::uint32_t begin = 0, end = 0;
};
struct PackItem {
  std::uint64_t bytes = 0;                   // > 0
  std::uint64_t alignment = 1;               // > 0
  std::uint32_t firstSpan = 0, numSpans = 0; // in `spans`; ascending, not touching. None: it never exists
};
struct PackProblem {
  std::vector<PackItem> items;
  std::vector<PackSpan> spans;

  [[nodiscard]] std::span<const PackSpan> spansOf(const PackItem &item) const {
    return std::span<const PackSpan>(spans).subspan(item.firstSpan, item.numSpans);
  }
  /// Times at which it exists.
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
};

/// The most bytes that exist at one time: no packing is lower. O(n log n).
std::uint64_t packLowerBound(const PackProblem &problem);
/// The highest end of an item that lies at `addresses`; 0 without items.
std::uint64_t packPeak(const PackProblem &problem, const std::vector<std::uint64_t> &addresses);
/// Smallest multiple of `alignment` (> 0) that is not below `value`.
inline std::uint64_t roundUpTo(std::uint64_t value, std::uint64_t alignment) {
  if ((alignment & (alignment - 1)) == 0)
    return (value + alignment - 1) & ~(alignment - 1);
  return (value + alignment - 1) / alignment * alignment;
}

} // namespace popscope
