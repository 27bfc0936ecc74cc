// Places items on a tile by first fit in zones. Stores placed items in two separate tables: blocks of items that never
// share addresses, and single items that share addresses.
#pragma once
#include "liveness/layout/FirstFit.hpp"
#include "liveness/layout/PackHeap.hpp"

#include <algorithm>
#include <optional>

namespace popscope {

/// Returns the times of a heap's items. A time is the number of a step. An item that is never occupied gets a time of
/// its own after the last of these steps. This item may then share addresses with any other item that may share
/// addresses. An item that never shares addresses (class 1 in HeapItem::occupied) exists at all times.
PackProblem timesOf(const HeapProblem &problem);

/// A range of consecutive items: one item, or several plain items of one kind. A plain item never shares addresses,
/// consists of whole words at word alignment, and is not bound (see boundItems).
struct HeapStretch {
  std::uint32_t first = 0, count = 1;
  friend bool operator==(const HeapStretch &, const HeapStretch &) = default;
};
/// Returns, for each item, whether the item is bound. A bound item has a limit, or a partner that must lie in another
/// memory element.
std::vector<bool> boundItems(const HeapProblem &problem);
/// Divides all items into the smallest possible number of stretches. `bound` is the result of boundItems(problem).
std::vector<HeapStretch> stretchesOf(const HeapProblem &problem, const std::vector<bool> &bound);

/// The facts about the items of a heap that packHeap() and packTightly() both need. `problem` must outlive the object.
class HeapItems {
protected:
  explicit HeapItems(const HeapProblem &problem);
  /// Returns the sum of the sizes of the bound items that end past the end of memory.
  [[nodiscard]] std::uint64_t boundOverflow(const std::vector<std::uint64_t> &addresses) const;
  [[nodiscard]] std::uint64_t widestAlignment(const std::vector<std::uint32_t> &items) const;
  /// Returns the stretches by ascending keyOf(first item). Stretches with equal keys keep the order of their items.
  /// keyOf must return the same key for all items of a stretch.
  template <class KeyOf> [[nodiscard]] std::vector<HeapStretch> stretchesBy(const KeyOf &keyOf) const {
    std::vector<std::pair<decltype(keyOf(0)), std::uint32_t>> keys; // the key, and the number of the stretch
    keys.reserve(stretches_.size());
    for (std::uint32_t s = 0; s < stretches_.size(); ++s)
      keys.emplace_back(keyOf(stretches_[s].first), s);
    std::sort(keys.begin(), keys.end());
    std::vector<HeapStretch> out;
    out.reserve(keys.size());
    for (const auto &[key, s] : keys)
      out.push_back(stretches_[s]);
    return out;
  }

  const HeapProblem &problem_;
  PackProblem times_;
  std::vector<bool> bound_; // see boundItems
  bool anyBound_;
  std::vector<HeapStretch> stretches_;
  std::vector<std::uint32_t> shared_; // items of kind Placement::Data that may share addresses
};

class TileHeap {
public:
  /// Makes an empty heap. `times` is the result of timesOf(problem). `problem` and `times` must outlive the heap. If
  /// `spread` is Apart, padding between blocks stays unused. Otherwise, other items may use this padding.
  TileHeap(const HeapProblem &problem, const PackProblem &times, Spread spread = Spread::Apart);

  /// Places item i in the first zone of the item's kind that has a suitable address. At a suitable address, the item
  /// ends at or below its limit, and lies outside the memory elements of its partners that are already placed. If a
  /// bound item does not fit inside memory, the whole item lies past the end of memory.
  void place(std::uint32_t i);
  /// Places all items of the stretch, with the same result as place(i) for each item in order. The cost is low if all
  /// items fit into a few ranges of free addresses.
  void place(HeapStretch stretch);
  /// Places item i at `address`.
  void placeAt(std::uint32_t i, std::uint64_t address);
  [[nodiscard]] const std::vector<std::uint64_t> &addresses() const { return addresses_; }
  /// Returns the end of the highest block that overlaps [begin, end), or `begin` if no block overlaps this range. A
  /// block consists of items that never share addresses.
  [[nodiscard]] std::uint64_t endOfBlocks(std::uint64_t begin, std::uint64_t end) const;

private:
  struct Block {
    std::uint64_t begin, end;
  };
  [[nodiscard]] std::uint64_t lowest(std::uint32_t i, std::uint64_t from);
  [[nodiscard]] std::uint64_t lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                                     std::uint64_t from);
  [[nodiscard]] std::uint64_t clearOfPartners(std::uint32_t i, std::uint64_t at) const;
  void addBlock(std::uint64_t begin, std::uint64_t end, std::uint64_t alignment);

  const HeapProblem &problem_;
  const PackProblem &times_;
  Spread spread_;
  FirstFitHeap sharing_;
  bool anyShared_ = false;    // whether `sharing_` contains an item. If `sharing_` is empty, an item that never shares
                              // addresses is placed without a search in `sharing_`. Items that never share addresses
                              // usually come first
  std::vector<Block> blocks_; // by ascending address; the items of tens of thousands of vertices join into a few blocks
  std::vector<std::uint64_t> addresses_;
  std::vector<bool> placed_;
  std::vector<std::vector<std::uint32_t>> partners_;
};

} // namespace popscope
