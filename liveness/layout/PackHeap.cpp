#include "liveness/layout/PackHeap.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace popscope {
namespace {

constexpr LiveClassId kAlways(1);
constexpr std::uint32_t kSolid = ~std::uint32_t(0);

// Which classes of one problem are ever occupied together, as a bit matrix over the classes that occur.
class Interference {
public:
  explicit Interference(const HeapProblem &problem) {
    for (const HeapItem &item : problem.items)
      if (item.occupied != kAlways)
        local_.emplace(item.occupied, 0);
    std::uint32_t next = 0;
    for (auto &[id, local] : local_)
      local = next++;
    words_ = (local_.size() + 63) / 64;
    bits_.assign(local_.size() * words_, 0);
    sweep(*problem.ranges);
  }
  [[nodiscard]] std::uint32_t localOf(LiveClassId id) const { return id == kAlways ? kSolid : local_.at(id); }
  [[nodiscard]] bool meet(std::uint32_t a, std::uint32_t b) const {
    return a == kSolid || b == kSolid || ((bits_[a * words_ + b / 64] >> (b % 64)) & 1) != 0;
  }

private:
  struct Event {
    std::uint32_t step;
    bool begins;
    std::uint32_t local;
  };

  void mark(std::uint32_t a, std::uint32_t b) {
    bits_[a * words_ + b / 64] |= std::uint64_t(1) << (b % 64);
    bits_[b * words_ + a / 64] |= std::uint64_t(1) << (a % 64);
  }
  void sweep(const LiveRanges &ranges) {
    std::vector<Event> events;
    for (const auto &[id, local] : local_) {
      const LiveClass &k = ranges.classes[id.index()];
      for (std::uint32_t i = k.firstInterval; i < k.firstInterval + k.numIntervals; ++i) {
        events.push_back({ranges.intervals[i].begin.index(), true, local});
        events.push_back({ranges.intervals[i].end.index(), false, local});
      }
    }
    std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
      return std::tie(a.step, a.begins, a.local) < std::tie(b.step, b.begins, b.local); // ends first: half-open
    });
    std::vector<std::uint32_t> active;
    for (const Event &e : events) {
      if (!e.begins) {
        active.erase(std::find(active.begin(), active.end(), e.local));
        continue;
      }
      active.push_back(e.local);
      for (const std::uint32_t other : active)
        mark(e.local, other);
    }
  }

  std::map<LiveClassId, std::uint32_t> local_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

// What has been placed, in ascending addresses. Neighbours that never share merge into one block, with the few bytes
// of padding between them, so that tens of thousands of vertices stay a handful of blocks.
class Heap {
public:
  explicit Heap(const Interference &interference) : interference_(interference) {}

  std::uint64_t place(const HeapItem &item, const std::vector<Zone> &zones) {
    const std::uint32_t local = interference_.localOf(item.occupied);
    for (const Zone &zone : zones) {
      const std::uint64_t at = firstFit(item, local, zone);
      if (at + item.bytes > zone.end && &zone != &zones.back())
        continue;
      insert(at, item, local);
      return at;
    }
    return 0; // zones are never empty: the last one is past the end of memory
  }

private:
  struct Block {
    std::uint64_t begin, end;
    std::uint32_t local;
  };

  [[nodiscard]] std::uint64_t firstFit(const HeapItem &item, std::uint32_t local, const Zone &zone) const {
    std::uint64_t at = roundUp(zone.begin, item.alignment);
    for (const Block &block : blocks_) {
      if (block.begin >= at + item.bytes)
        break;
      if (block.end > at && interference_.meet(block.local, local))
        at = roundUp(block.end, item.alignment);
    }
    return at;
  }
  void insert(std::uint64_t at, const HeapItem &item, std::uint32_t local) {
    auto next = std::upper_bound(blocks_.begin(), blocks_.end(), at,
                                 [](std::uint64_t a, const Block &b) { return a < b.begin; });
    if (local == kSolid && next != blocks_.begin()) {
      Block &previous = *(next - 1);
      if (previous.local == kSolid && at - previous.end < item.alignment) {
        previous.end = at + item.bytes;
        return;
      }
    }
    blocks_.insert(next, Block{at, at + item.bytes, local});
  }

  const Interference &interference_;
  std::vector<Block> blocks_;
};

using Order = std::vector<std::uint32_t>;

std::uint64_t occupiedSteps(const LiveRanges &ranges, LiveClassId id) {
  const LiveClass &k = ranges.classes[id.index()];
  std::uint64_t steps = 0;
  for (std::uint32_t i = k.firstInterval; i < k.firstInterval + k.numIntervals; ++i)
    steps += ranges.intervals[i].end.index() - ranges.intervals[i].begin.index();
  return steps;
}

std::uint64_t firstStep(const LiveRanges &ranges, LiveClassId id) {
  const LiveClass &k = ranges.classes[id.index()];
  return k.numIntervals == 0 ? 0 : ranges.intervals[k.firstInterval].begin.index();
}

// Smaller keys are placed earlier. Sizes and durations count down from a large number.
std::uint64_t primaryKey(const HeapProblem &problem, const HeapItem &item, int order) {
  constexpr std::uint64_t top = ~std::uint64_t(0);
  switch (order) {
  case 0: return top - item.bytes;                                    // largest first
  case 1: return top - occupiedSteps(*problem.ranges, item.occupied); // longest life first
  default: return firstStep(*problem.ranges, item.occupied);          // as the program needs them
  }
}

// Stack, code, interleaved, data; in each, first what never shares (widest alignment first, code as it comes).
Order placingOrder(const HeapProblem &problem, int order) {
  struct Key {
    std::uint64_t placement, shares, first, second;
    std::uint32_t index;
  };
  std::vector<Key> keys;
  for (std::uint32_t i = 0; i < problem.items.size(); ++i) {
    const HeapItem &item = problem.items[i];
    const bool shares = item.occupied != kAlways;
    const std::uint64_t wide = item.placement == Placement::Code ? 0 : ~item.alignment;
    keys.push_back({static_cast<std::uint64_t>(item.placement), shares,
                    shares ? primaryKey(problem, item, order) : wide, shares ? ~item.bytes : 0, i});
  }
  std::sort(keys.begin(), keys.end(), [](const Key &a, const Key &b) {
    return std::tie(a.placement, a.shares, a.first, a.second, a.index) <
           std::tie(b.placement, b.shares, b.first, b.second, b.index);
  });
  Order out;
  for (const Key &key : keys)
    out.push_back(key.index);
  return out;
}

std::vector<std::uint64_t> placeInOrder(const HeapProblem &problem, const Interference &interference,
                                        const Order &order) {
  Heap heap(interference);
  std::vector<std::uint64_t> addresses(problem.items.size());
  for (const std::uint32_t i : order) {
    const HeapItem &item = problem.items[i];
    addresses[i] = heap.place(item, problem.zones->of[static_cast<std::size_t>(item.placement)]);
  }
  return addresses;
}

// Highest used address of all; then, since interleaved data fixes that one, of what lies in other memory.
std::array<std::uint64_t, 2> cost(const HeapProblem &problem, const std::vector<std::uint64_t> &addresses) {
  std::array<std::uint64_t, 2> high{0, 0};
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::uint64_t end = addresses[i] + problem.items[i].bytes;
    high[0] = std::max(high[0], end);
    if (regionAt(*problem.zones, addresses[i]).region == AllocationRegion::NonInterleaved)
      high[1] = std::max(high[1], end);
  }
  return high;
}

} // namespace

std::vector<std::uint64_t> packHeap(const HeapProblem &problem) {
  const Interference interference(problem);
  const bool anyShares = std::any_of(problem.items.begin(), problem.items.end(),
                                     [](const HeapItem &item) { return item.occupied != kAlways; });
  std::vector<std::uint64_t> best;
  for (int order = 0; order < (anyShares ? 3 : 1); ++order) {
    std::vector<std::uint64_t> addresses = placeInOrder(problem, interference, placingOrder(problem, order));
    if (best.empty() || cost(problem, addresses) < cost(problem, best))
      best = std::move(addresses);
  }
  return best;
}

} // namespace popscope
