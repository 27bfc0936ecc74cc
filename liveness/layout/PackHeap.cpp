#include "liveness/layout/PackHeap.hpp"

#include "liveness/layout/PackItems.hpp"
#include "liveness/layout/PackTightly.hpp"
#include "liveness/layout/TileHeap.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace popscope {
namespace {

constexpr std::uint64_t kFarFactor = 8; // a tile far above its lower bound gets this multiple of the nodes

// Packs a tile that has enough memory: tries a few orders of first fit, then lets PackItems search. Keeps the result
// with the lowest cost (Cost).
class HeapPacker : HeapItems {
public:
  HeapPacker(const HeapProblem &problem, std::uint64_t maxNodes) : HeapItems(problem), maxNodes_(maxNodes) {
    for (std::uint32_t i = 0; i < problem.items.size(); ++i)
      if (problem.items[i].placement == Placement::Interleaved && problem.items[i].occupied != kAlwaysClass)
        sharedInterleaved_.push_back(i);
  }

  std::vector<std::uint64_t> pack() {
    tryOrder(0, false);
    if (!lowEnough()) {
      tryOrder(1, false);
      tryOrder(2, false);
    }
    if (anyBound_ && boundOverflows())
      tryOrder(0, true);
    if (maxNodes_ > 0 && sharedInterleaved_.size() > 1 && !anyBound_)
      searchInterleaved();
    if (maxNodes_ > 0 && shared_.size() > 1 && !anyBound_)
      searchLower();
    return std::move(best_);
  }

private:
  // Returns the main sort key in an order; items with smaller keys are placed earlier. `~` puts larger values first.
  [[nodiscard]] std::uint64_t primaryKey(std::uint32_t i, int order) const {
    switch (order) {
    case 0: return ~problem_.items[i].bytes;                  // largest first
    case 1: return ~times_.lifeOf(times_.items[i]);           // longest life first
    default: return times_.spansOf(times_.items[i])[0].begin; // in the order in which the program needs them
    }
  }

  // Returns the items in the order of placement: stack, code, interleaved, data. Within a kind, items that never share
  // their addresses come first (widest alignment first, code in its own order). Within these groups, bound items come
  // first. An item is bound if it has an address limit or a partner in another element. If `boundFirst` is true, bound
  // items come before all other items.
  [[nodiscard]] std::vector<HeapStretch> placingOrder(int order, bool boundFirst) const {
    return stretchesBy([&](std::uint32_t i) {
      const HeapItem &item = problem_.items[i];
      const bool shares = item.occupied != kAlwaysClass;
      const std::uint64_t wide = item.placement == Placement::Code ? 0 : ~item.alignment;
      return std::tuple(boundFirst && !bound_[i], item.placement, shares, !bound_[i],
                        shares ? primaryKey(i, order) : wide, shares ? ~item.bytes : std::uint64_t(0));
    });
  }

  void tryOrder(int order, bool boundFirst) {
    TileHeap heap(problem_, times_);
    for (const HeapStretch &stretch : placingOrder(order, boundFirst))
      heap.place(stretch);
    const Zone zone = dataZone();
    endOfBlocks_ = heap.endOfBlocks(zone.begin, zone.end);
    endInMemory_ = heap.endOfBlocks(zone.begin, problem_.zones->memoryEnd);
    offer(heap.addresses());
  }
  void offer(std::vector<std::uint64_t> addresses) {
    if (const Cost cost = costOf(addresses); best_.empty() || cost < bestCost_) {
      bestCost_ = cost;
      best_ = std::move(addresses);
    }
  }
  // The bytes of bound items past the end of memory, which count most; then the heights.
  using Cost = std::pair<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>;
  [[nodiscard]] Cost costOf(const std::vector<std::uint64_t> &addresses) const {
    return {boundOverflow(addresses), heapHeight(problem_, addresses)};
  }
  [[nodiscard]] bool boundOverflows() const { return bestCost_.first != 0; }

  [[nodiscard]] Zone dataZone() const {
    return problem_.zones->of(Spread::Apart)[static_cast<std::size_t>(Placement::Data)].front();
  }
  // Returns whether no order can do better. This is so if the items that share addresses lie directly above the other
  // items, and the height of the sharing items is their lower bound.
  [[nodiscard]] bool lowEnough() const {
    std::uint64_t end = 0;
    for (const std::uint32_t i : shared_)
      end = std::max(end, best_[i] + problem_.items[i].bytes);
    return shared_.empty() ||
           end <= roundUpTo(endOfBlocks_, widestAlignment(shared_)) + packLowerBound(times_.partOf(shared_));
  }

  // Packs the items that share addresses again, as one block above the items that never share.
  void searchLower() {
    const std::uint64_t base = roundUpTo(endOfBlocks_, widestAlignment(shared_));
    const PackResult packed = search(shared_);
    // The block may reach into interleaved memory only if interleaved memory contains no item that never shares.
    const std::uint64_t room =
        endInMemory_ == endOfBlocks_ && !anyInterleaved() ? problem_.zones->memoryEnd : dataZone().end;
    if (base + packed.peak > room)
      return;
    offer(moved(shared_, base, packed));
  }
  // Packs the interleaved items that share addresses in the same way, if no other item lies in their new place.
  void searchInterleaved() {
    const Zone zone = problem_.zones->of(Spread::Apart)[static_cast<std::size_t>(Placement::Interleaved)].front();
    std::uint64_t base = zone.begin; // address above the items that never share
    for (std::uint32_t i = 0; i < problem_.items.size(); ++i)
      if (problem_.items[i].placement == Placement::Interleaved && problem_.items[i].occupied == kAlwaysClass &&
          best_[i] < zone.end)
        base = std::max(base, best_[i] + problem_.items[i].bytes);
    base = roundUpTo(base, widestAlignment(sharedInterleaved_));
    const PackResult packed = search(sharedInterleaved_);
    const std::uint64_t end = base + packed.peak;
    if (end > zone.end)
      return;
    for (std::uint32_t i = 0; i < problem_.items.size(); ++i)
      if (!std::binary_search(sharedInterleaved_.begin(), sharedInterleaved_.end(), i) && best_[i] < end &&
          best_[i] + problem_.items[i].bytes > base)
        return;
    offer(moved(sharedInterleaved_, base, packed));
  }
  [[nodiscard]] PackResult search(const std::vector<std::uint32_t> &items) const {
    PackOptions options;
    options.maxNodes = maxNodes_;
    options.maxNodesFar = maxNodes_ * kFarFactor;
    return packItems(times_.partOf(items), options);
  }
  [[nodiscard]] std::vector<std::uint64_t> moved(const std::vector<std::uint32_t> &items, std::uint64_t base,
                                                 const PackResult &packed) const {
    std::vector<std::uint64_t> addresses = best_;
    for (std::size_t k = 0; k < items.size(); ++k)
      addresses[items[k]] = base + packed.addresses[k];
    return addresses;
  }
  [[nodiscard]] bool anyInterleaved() const {
    return std::any_of(problem_.items.begin(), problem_.items.end(),
                       [](const HeapItem &item) { return item.placement == Placement::Interleaved; });
  }

  std::uint64_t maxNodes_;
  std::vector<std::uint32_t> sharedInterleaved_;    // interleaved data that shares addresses
  std::uint64_t endOfBlocks_ = 0, endInMemory_ = 0; // end of the items that never share, in the first data zone and in
                                                    // all memory
  std::vector<std::uint64_t> best_;
  Cost bestCost_; // cost of best_
};

} // namespace

std::vector<std::uint64_t> packHeap(const HeapProblem &problem, std::uint64_t maxNodes) {
  if (problem.items.empty())
    return {};
  std::vector<std::uint64_t> addresses = HeapPacker(problem, 0).pack();
  if (heapHeight(problem, addresses).first > problem.zones->memoryEnd)
    return packTightly(problem, maxNodes, std::move(addresses));
  return maxNodes == 0 ? addresses : HeapPacker(problem, maxNodes).pack();
}

std::uint64_t heapLowerBound(const HeapProblem &problem) {
  const PackProblem times = timesOf(problem);
  std::set<std::uint64_t> alignments{1};
  for (const PackItem &item : times.items)
    if (item.bytes % item.alignment != 0)
      alignments.insert(item.alignment);
  std::uint64_t bound = 0;
  for (const std::uint64_t alignment : alignments) {
    PackProblem coarse;
    coarse.spans = times.spans;
    for (PackItem item : times.items)
      if (item.alignment % alignment == 0) {
        item.bytes = roundUpTo(item.bytes, alignment);
        coarse.items.push_back(item);
      }
    const std::uint64_t rounded = packLowerBound(coarse);
    bound = std::max(bound, rounded - std::min(rounded, alignment - 1)); // the last item may do without its padding
  }
  return bound;
}

std::pair<std::uint64_t, std::uint64_t> heapHeight(const HeapProblem &problem,
                                                   const std::vector<std::uint64_t> &addresses) {
  std::pair<std::uint64_t, std::uint64_t> high{0, 0};
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::uint64_t end = addresses[i] + problem.items[i].bytes;
    high.first = std::max(high.first, end);
    if (end > high.second && regionAt(*problem.zones, addresses[i]).region == AllocationRegion::NonInterleaved)
      high.second = end;
  }
  return high;
}

} // namespace popscope
