#include "liveness/layout/PackTightly.hpp"

#include "liveness/layout/PackItems.hpp"
#include "liveness/layout/PackOrder.hpp"
#include "liveness/layout/TileHeap.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace popscope {
namespace {

constexpr std::uint64_t kStrictFactor = 8; // nodes for a packing that fits, as a multiple of the nodes for a low
                                           // packing
constexpr std::uint64_t kLiveItems =
    64; // the time of a node grows with the number of items that exist together; above this number, the number of nodes
        // falls in proportion
constexpr std::uint64_t kMaxItems = 256; // if more items exist together, first fit is close to the optimum, and no
                                         // search runs
constexpr std::size_t kMixedItems =
    512; // in a problem of at most this many items, items that share may come before items that never share, which
         // makes first fit look through all lives

enum class Order : std::uint8_t { Largest, Weight, LongestLife, FirstNeeded, WidestAlignment };
/// The placement of interleaved items. Low and High: earlier than other data, upwards from the start of their region or
/// downwards from its end. InTurn: among other data, in the common order.
enum class Interleaved : std::uint8_t { Low, High, InTurn };
constexpr Order kOrders[] = {Order::Largest, Order::Weight, Order::LongestLife, Order::FirstNeeded,
                             Order::WidestAlignment};

// Tries spreads, places of interleaved items and orders of first fit until something fits. Searches if nothing fits.
// `best_` is always the packing of the lowest cost so far.
class TightPacker : HeapItems {
public:
  TightPacker(const HeapProblem &problem, std::uint64_t maxNodes, std::vector<std::uint64_t> spread)
      : HeapItems(problem), maxNodes_(maxNodes), best_(std::move(spread)) {
    for (std::uint32_t i = 0; i < problem.items.size(); ++i)
      if (problem.items[i].placement == Placement::Interleaved)
        interleaved_.push_back(i);
    rankByWeight();
    bestCost_ = costOf(best_);
  }

  std::vector<std::uint64_t> pack() {
    for (const Spread spread : {Spread::AcrossRegions, Spread::FromZero})
      for (const Interleaved where : {Interleaved::Low, Interleaved::High, Interleaved::InTurn})
        if ((where == Interleaved::Low || !interleaved_.empty()) && tryOrders(spread, where))
          return std::move(best_);
    if (maxNodes_ > 0 && shared_.size() > 1)
      for (const Spread spread : {Spread::AcrossRegions, Spread::FromZero})
        if (search(spread))
          break;
    return std::move(best_);
  }

private:
  using Cost = std::pair<std::uint64_t, std::uint64_t>; // bytes of bound items past the end of memory; the highest end

  [[nodiscard]] Cost costOf(const std::vector<std::uint64_t> &addresses) const {
    return {boundOverflow(addresses), packPeak(times_, addresses)};
  }
  /// Keeps the addresses if their cost is lower than the lowest cost so far. Returns whether the best packing fits.
  bool offer(std::vector<std::uint64_t> addresses) {
    if (const Cost cost = costOf(addresses); cost < bestCost_) {
      bestCost_ = cost;
      best_ = std::move(addresses);
    }
    return bestCost_.second <= memoryEnd();
  }
  [[nodiscard]] std::uint64_t memoryEnd() const { return problem_.zones->memoryEnd; }

  void rankByWeight() {
    const std::vector<std::uint32_t> order = decreasingWeight(times_);
    weightRank_.resize(order.size());
    for (std::uint32_t rank = 0; rank < order.size(); ++rank)
      weightRank_[order[rank]] = rank;
  }
  // Returns the main sort key in an order; items with smaller keys are placed earlier.
  [[nodiscard]] std::uint64_t primaryKey(std::uint32_t i, Order order) const {
    switch (order) {
    case Order::Largest: return ~problem_.items[i].bytes;
    case Order::Weight: return weightRank_[i];
    case Order::LongestLife: return ~times_.lifeOf(times_.items[i]);
    case Order::FirstNeeded: return times_.spansOf(times_.items[i])[0].begin;
    case Order::WidestAlignment: break; // see placingOrder
    }
    return 0;
  }
  // Returns the stretches in the order of placement: kinds in the order of their zones, but code first for FromZero.
  // Within a kind, items that never share come first, widest alignment first; in a small problem, WidestAlignment mixes
  // these items with the other items. Bound items come first of all (`boundFirst`) or first in each of these groups.
  // With `inTurn`, interleaved items count as data.
  [[nodiscard]] std::vector<HeapStretch> placingOrder(Spread spread, Order order, bool boundFirst,
                                                      bool inTurn = false) const {
    return stretchesBy([&](std::uint32_t i) {
      const HeapItem &item = problem_.items[i];
      const bool shares = item.occupied != kAlwaysClass;
      const bool codeFirst = spread == Spread::FromZero && item.placement == Placement::Code;
      const Placement kind = inTurn && item.placement == Placement::Interleaved ? Placement::Data : item.placement;
      const std::uint64_t wide = item.placement == Placement::Code ? 0 : ~item.alignment;
      // Items whose sizes leave padding behind come after items whose sizes leave none.
      const bool uneven = item.placement != Placement::Code && item.bytes % item.alignment != 0;
      const bool byWidth = !shares || order == Order::WidestAlignment;
      const bool mixed = order == Order::WidestAlignment && problem_.items.size() <= kMixedItems;
      return std::tuple(boundFirst && !bound_[i], codeFirst ? 0 : 1 + static_cast<std::uint32_t>(kind),
                        shares && !mixed, !bound_[i], byWidth ? wide : primaryKey(i, order),
                        byWidth ? (uneven ? 1 : 0) : ~item.bytes);
    });
  }

  bool tryOrders(Spread spread, Interleaved where) {
    std::vector<std::vector<HeapStretch>> tried;
    for (const bool boundFirst : {true, false}) {
      if (!boundFirst && !anyBound_)
        continue;
      for (const Order order : kOrders) {
        const std::vector<HeapStretch> items = placingOrder(spread, order, boundFirst, where == Interleaved::InTurn);
        if (std::find(tried.begin(), tried.end(), items) != tried.end())
          continue;
        auto addresses = where == Interleaved::High ? placeHigh(spread, items) : std::optional(placeAll(spread, items));
        if (!addresses)
          return false;
        if (offer(std::move(*addresses)))
          return true;
        tried.push_back(items);
      }
    }
    return false;
  }
  [[nodiscard]] std::vector<std::uint64_t> placeAll(Spread spread, const std::vector<HeapStretch> &items) const {
    TileHeap heap(problem_, times_, spread);
    for (const HeapStretch &stretch : items)
      heap.place(stretch);
    return heap.addresses();
  }

  // Places interleaved items by first fit from the end of their region downwards. If other items have to lie above the
  // interleaved items, then lowers all interleaved items by one distance, as far as the items below allow. Returns no
  // value if the interleaved items do not fit or if one of them is bound.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> placeHigh(Spread spread,
                                                                    const std::vector<HeapStretch> &items) const {
    std::vector<std::uint32_t> high;
    std::vector<HeapStretch> others;
    std::uint64_t lowest = memoryEnd();
    for (const HeapStretch &stretch : items) {
      if (problem_.items[stretch.first].placement != Placement::Interleaved) {
        others.push_back(stretch);
        continue;
      }
      for (std::uint32_t i = stretch.first; i < stretch.first + stretch.count; ++i)
        high.push_back(i);
    }
    auto down = downwards(high, 0);
    if (!down)
      return std::nullopt;
    for (const std::uint64_t at : *down)
      lowest = std::min(lowest, at);
    const std::vector<std::uint64_t> free = placeAll(spread, others);
    const auto endOf = [&](std::uint32_t i) { return free[i] + problem_.items[i].bytes; };
    std::uint64_t reached = interleavedZone().begin; // the highest end of the items below
    std::vector<HeapStretch> below, above;           // `above` starts with the first item that reaches higher
    for (const auto &[first, count] : others) {
      std::uint32_t part = 0;
      for (; above.empty() && part < count && endOf(first + part) <= lowest; ++part)
        reached = std::max(reached, endOf(first + part));
      if (part > 0)
        below.push_back({first, part});
      if (part < count)
        above.push_back({first + part, count - part});
    }
    const std::uint64_t lower =
        above.empty() ? 0 : (lowest - std::min(lowest, reached)) / widestAlignment(high) * widestAlignment(high);
    TileHeap heap(problem_, times_, spread);
    for (const HeapStretch &stretch : below)
      heap.place(stretch);
    for (std::size_t k = 0; k < high.size(); ++k)
      heap.placeAt(high[k], (*down)[k] - lower);
    for (const HeapStretch &stretch : above)
      heap.place(stretch);
    return heap.addresses();
  }
  [[nodiscard]] Zone interleavedZone() const {
    return problem_.zones->of(Spread::Apart)[static_cast<std::size_t>(Placement::Interleaved)].front();
  }
  /// Packs the interleaved `items` from the end of their region downwards, as the mirror image of packing upwards.
  /// Returns the addresses, or no value if the items do not fit or if one of them is bound.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> downwards(const std::vector<std::uint32_t> &items,
                                                                    std::uint64_t nodes) const {
    const Zone zone = interleavedZone();
    PackProblem mirrored = times_.partOf(items);
    for (PackItem &item : mirrored.items)
      item.bytes = roundUpTo(item.bytes, item.alignment); // so that the mirror image of its end is an aligned begin
    const std::uint64_t end = zone.end / widestAlignment(items) * widestAlignment(items);
    PackOptions options;
    options.maxNodes = nodes;
    std::vector<std::uint32_t> asTheyCome(items.size());
    for (std::uint32_t k = 0; k < items.size(); ++k)
      asTheyCome[k] = k;
    std::vector<std::uint64_t> at = nodes > 0 ? packItems(mirrored, options).addresses : firstFit(mirrored, asTheyCome);
    for (std::size_t k = 0; k < items.size(); ++k) {
      if (bound_[items[k]] || at[k] + mirrored.items[k].bytes > end - std::min(end, zone.begin))
        return std::nullopt;
      at[k] = end - at[k] - mirrored.items[k].bytes;
      if (at[k] % mirrored.items[k].alignment != 0)
        return std::nullopt;
    }
    return at;
  }

  // Searches for a packing of the sharing items as one block, between the items that never share and interleaved data.
  // First aims at a peak that fits, if the lower bounds allow this, and then at the lowest peak. Returns whether the
  // best packing fits.
  bool search(Spread spread) {
    TileHeap heap(problem_, times_, spread);
    const auto high = downwards(interleaved_, maxNodes_);
    if (!high)
      return false;
    std::uint64_t room = memoryEnd(), base = 0;
    for (std::size_t k = 0; k < interleaved_.size(); ++k) {
      heap.placeAt(interleaved_[k], (*high)[k]);
      room = std::min(room, (*high)[k]);
    }
    for (const HeapStretch &stretch : placingOrder(spread, Order::Largest, false)) {
      const auto [first, count] = stretch;
      const HeapItem &item = problem_.items[first];
      if (item.placement == Placement::Interleaved ||
          (item.placement == Placement::Data && item.occupied != kAlwaysClass))
        continue;
      heap.place(stretch);
      for (std::uint32_t i = first; i < first + count; ++i)
        base = std::max(base, heap.addresses()[i] + problem_.items[i].bytes);
    }
    base = roundUpTo(base, widestAlignment(shared_));
    if (base >= room)
      return false;
    const PackProblem data = times_.partOf(shared_);
    PackOptions options;
    const std::uint64_t together = mostItems(data), nodes = maxNodes_ * kLiveItems / std::max(kLiveItems, together);
    if (nodes == 0 || together > kMaxItems)
      return false;
    options.maxNodes = options.maxNodesFar = kStrictFactor * nodes;
    if (packLowerBound(data) <= room - base && heapLowerBound(problem_) <= memoryEnd()) {
      options.goodEnough = room - base;
      if (offerSearched(heap.addresses(), base, room, packItems(data, options)))
        return true;
      options.goodEnough = 0;
    }
    options.maxNodes = options.maxNodesFar = nodes;
    return offerSearched(heap.addresses(), base, room, packItems(data, options));
  }
  /// Returns the maximum number of items that exist at one time.
  [[nodiscard]] static std::uint64_t mostItems(PackProblem problem) {
    for (PackItem &item : problem.items)
      item.bytes = 1;
    return packLowerBound(problem);
  }
  bool offerSearched(std::vector<std::uint64_t> addresses, std::uint64_t base, std::uint64_t room,
                     const PackResult &packed) {
    if (base + packed.peak > room && !interleaved_.empty())
      return false;
    for (std::size_t k = 0; k < shared_.size(); ++k)
      addresses[shared_[k]] = base + packed.addresses[k];
    return keepsBounds(addresses) && offer(std::move(addresses));
  }
  [[nodiscard]] bool keepsBounds(const std::vector<std::uint64_t> &addresses) const {
    for (const std::uint32_t i : shared_)
      if (const std::uint64_t end = addresses[i] + problem_.items[i].bytes;
          bound_[i] && (end > memoryEnd() || (problem_.items[i].limit != 0 && end > problem_.items[i].limit)))
        return false;
    return std::none_of(problem_.apart.begin(), problem_.apart.end(), [&](const auto &pair) {
      const auto touched = [&](std::uint32_t i) {
        return problem_.zones->elementsOf(addresses[i], addresses[i] + problem_.items[i].bytes);
      };
      const auto a = touched(pair.first), b = touched(pair.second);
      return a.first <= b.second && b.first <= a.second;
    });
  }

  std::uint64_t maxNodes_;
  std::vector<std::uint32_t> interleaved_, weightRank_;
  std::vector<std::uint64_t> best_;
  Cost bestCost_;
};

} // namespace

std::vector<std::uint64_t> packTightly(const HeapProblem &problem, std::uint64_t maxNodes,
                                       std::vector<std::uint64_t> spread) {
  return TightPacker(problem, maxNodes, std::move(spread)).pack();
}

} // namespace popscope
