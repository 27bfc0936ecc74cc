#include "liveness/layout/TileHeap.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

std::vector<std::uint32_t> itemsThatShare(const HeapProblem &problem) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < problem.items.size(); ++i)
    if (problem.items[i].occupied != kAlwaysClass)
      out.push_back(i);
  return out;
}

} // namespace

PackProblem timesOf(const HeapProblem &problem) {
  const LiveRanges &ranges = *problem.ranges;
  PackProblem out;
  out.items.reserve(problem.items.size());
  out.spans.reserve(problem.items.size());
  std::uint32_t end = 1;
  for (const HeapItem &item : problem.items) {
    if (const auto occupied = ranges.intervalsOf(item.occupied); !occupied.empty())
      end = std::max(end, occupied.back().end.index());
  }
  for (const HeapItem &item : problem.items)
    end += ranges.intervalsOf(item.occupied).empty() ? 1 : 0;
  std::uint32_t moment = end;
  for (const HeapItem &item : problem.items) {
    const auto occupied = ranges.intervalsOf(item.occupied);
    out.items.push_back({item.bytes, item.alignment, static_cast<std::uint32_t>(out.spans.size()), 1});
    if (item.occupied == kAlwaysClass) {
      out.spans.push_back({0, end});
    } else if (occupied.empty()) {
      --moment;
      out.spans.push_back({moment, moment + 1});
    } else {
      out.items.back().numSpans = static_cast<std::uint32_t>(occupied.size());
      for (const StepInterval &i : occupied)
        out.spans.push_back({i.begin.index(), i.end.index()});
    }
  }
  return out;
}

std::vector<bool> boundItems(const HeapProblem &problem) {
  std::vector<bool> bound(problem.items.size(), false);
  for (std::size_t i = 0; i < bound.size(); ++i)
    bound[i] = problem.items[i].limit != 0;
  for (const auto &[a, b] : problem.apart)
    bound[a] = bound[b] = true;
  return bound;
}

std::vector<HeapStretch> stretchesOf(const HeapProblem &problem, const std::vector<bool> &bound) {
  std::vector<HeapStretch> out;
  bool plain = false; // whether the previous item is plain
  for (std::uint32_t i = 0; i < problem.items.size(); ++i) {
    const HeapItem &item = problem.items[i];
    const bool follows = plain && problem.items[i - 1].placement == item.placement;
    plain = item.occupied == kAlwaysClass && item.alignment == kWordBytes && item.bytes % kWordBytes == 0 && !bound[i];
    if (plain && follows)
      ++out.back().count;
    else
      out.push_back({i, 1});
  }
  return out;
}

HeapItems::HeapItems(const HeapProblem &problem)
    : problem_(problem), times_(timesOf(problem)), bound_(boundItems(problem)),
      anyBound_(std::find(bound_.begin(), bound_.end(), true) != bound_.end()),
      stretches_(stretchesOf(problem, bound_)) {
  for (const std::uint32_t i : itemsThatShare(problem))
    if (problem.items[i].placement == Placement::Data)
      shared_.push_back(i);
}

std::uint64_t HeapItems::boundOverflow(const std::vector<std::uint64_t> &addresses) const {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; anyBound_ && i < addresses.size(); ++i)
    bytes +=
        bound_[i] && addresses[i] + problem_.items[i].bytes > problem_.zones->memoryEnd ? problem_.items[i].bytes : 0;
  return bytes;
}

std::uint64_t HeapItems::widestAlignment(const std::vector<std::uint32_t> &items) const {
  std::uint64_t widest = 1;
  for (const std::uint32_t i : items)
    widest = std::max(widest, problem_.items[i].alignment);
  return widest;
}

TileHeap::TileHeap(const HeapProblem &problem, const PackProblem &times, Spread spread)
    : problem_(problem), times_(times), spread_(spread), sharing_(times, itemsThatShare(problem)),
      addresses_(problem.items.size(), 0), placed_(problem.items.size(), false),
      partners_(problem.apart.empty() ? 0 : problem.items.size()) {
  for (const auto &[a, b] : problem.apart) {
    partners_[a].push_back(b);
    partners_[b].push_back(a);
  }
}

void TileHeap::place(std::uint32_t i) {
  const HeapItem &item = problem_.items[i];
  const std::vector<Zone> &zones = problem_.zones->of(spread_)[static_cast<std::size_t>(item.placement)];
  const bool bound = item.limit != 0 || (!partners_.empty() && !partners_[i].empty());
  for (const Zone &zone : zones) {
    const bool last = &zone == &zones.back();
    const std::uint64_t end = item.limit != 0 && !last ? std::min(zone.end, item.limit) : zone.end;
    std::uint64_t at = lowest(i, last && bound ? std::max(zone.begin, problem_.zones->memoryEnd) : zone.begin);
    while (at + item.bytes <= end && !last) { // moves up until the item shares no element with its partners
      const std::uint64_t from = clearOfPartners(i, at);
      if (from == at)
        break;
      at = lowest(i, from);
    }
    if (at + item.bytes > end && !last)
      continue;
    placeAt(i, at);
    return;
  }
}

// Places a stretch as one block if all of it fits at the lowest address where its smallest item fits. Otherwise splits
// the stretch and places the parts. The result is the same as when each item is placed on its own.
void TileHeap::place(HeapStretch stretch) {
  const auto [first, count] = stretch;
  if (count == 1)
    return place(first);
  const std::span<const PackSpan> always = times_.spansOf(times_.items[first]);
  std::uint64_t bytes = 0, least = problem_.items[first].bytes;
  for (std::uint32_t i = first; i < first + count; ++i) {
    bytes += problem_.items[i].bytes;
    least = std::min(least, problem_.items[i].bytes);
  }
  // If no lower gap fits the smallest item and this gap fits the whole stretch, the items lie one after another.
  const std::vector<Zone> &zones =
      problem_.zones->of(spread_)[static_cast<std::size_t>(problem_.items[first].placement)];
  std::uint64_t at = 0, end = 0;
  for (const Zone &zone : zones) {
    const bool isLast = &zone == &zones.back();
    at = lowest(always, least, kWordBytes, zone.begin);
    end = isLast ? std::numeric_limits<std::uint64_t>::max() : zone.end;
    if (at + least <= end)
      break;
  }
  if (bytes > end - at || lowest(always, bytes, kWordBytes, at) != at) {
    std::uint32_t fit = 0; // the number of items that fit into the zone if the zone is empty
    for (std::uint64_t room = end - at; fit < count && problem_.items[first + fit].bytes <= room; ++fit)
      room -= problem_.items[first + fit].bytes;
    const std::uint32_t part = fit == 0 || fit == count ? count / 2 : fit;
    place(HeapStretch{first, part});
    return place(HeapStretch{first + part, count - part});
  }
  std::uint64_t next = at;
  for (std::uint32_t i = first; i < first + count; ++i) {
    addresses_[i] = next;
    placed_[i] = true;
    next += problem_.items[i].bytes;
  }
  addBlock(at, next, kWordBytes);
}

void TileHeap::placeAt(std::uint32_t i, std::uint64_t address) {
  const HeapItem &item = problem_.items[i];
  addresses_[i] = address;
  placed_[i] = true;
  if (item.occupied == kAlwaysClass) {
    addBlock(address, address + item.bytes, item.alignment);
  } else {
    sharing_.insert(times_.spansOf(times_.items[i]), address, item.bytes);
    anyShared_ = true;
  }
}

std::uint64_t TileHeap::lowest(std::uint32_t i, std::uint64_t from) {
  const HeapItem &item = problem_.items[i];
  return lowest(times_.spansOf(times_.items[i]), item.bytes, item.alignment, from);
}

std::uint64_t TileHeap::lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                               std::uint64_t from) {
  for (std::uint64_t at = from;;) {
    at = anyShared_ ? sharing_.lowest(spans, bytes, alignment, at) : roundUpTo(at, alignment);
    auto block = std::upper_bound(blocks_.begin(), blocks_.end(), at,
                                  [](std::uint64_t address, const Block &b) { return address < b.end; });
    const std::uint64_t before = at;
    for (; block != blocks_.end() && block->begin < at + bytes; ++block)
      at = roundUpTo(block->end, alignment);
    if (at == before)
      return at;
  }
}

// Returns `at` if item `i` at this address shares no memory element with a placed partner. Otherwise returns the
// beginning of the element after the elements of the first such partner, or the end of memory.
std::uint64_t TileHeap::clearOfPartners(std::uint32_t i, std::uint64_t at) const {
  if (partners_.empty() || problem_.zones->elements.empty())
    return at;
  const std::uint64_t memoryEnd = problem_.zones->memoryEnd;
  for (const std::uint32_t p : partners_[i]) {
    if (!placed_[p] || addresses_[p] >= memoryEnd)
      continue;
    const auto mine = problem_.zones->elementsOf(at, at + problem_.items[i].bytes);
    const auto others = problem_.zones->elementsOf(addresses_[p], addresses_[p] + problem_.items[p].bytes);
    if (mine.first > others.second || others.first > mine.second)
      continue;
    const std::vector<std::uint64_t> &elements = problem_.zones->elements;
    return others.second < elements.size() ? elements[others.second] : memoryEnd;
  }
  return at;
}

// Adds a block. Joins the block to the block below if only padding lies between them; the padding stays unused. With a
// spread other than Apart, joins the two blocks only if no padding lies between them.
void TileHeap::addBlock(std::uint64_t begin, std::uint64_t end, std::uint64_t alignment) {
  auto next = std::upper_bound(blocks_.begin(), blocks_.end(), begin,
                               [](std::uint64_t address, const Block &b) { return address < b.begin; });
  if (next != blocks_.begin() && begin - std::prev(next)->end < (spread_ == Spread::Apart ? alignment : 1)) {
    --next;
    next->end = end;
  } else {
    next = blocks_.insert(next, {begin, end});
  }
  if (const auto behind = std::next(next); behind != blocks_.end() && behind->begin == next->end) {
    next->end = behind->end;
    blocks_.erase(behind);
  }
}

std::uint64_t TileHeap::endOfBlocks(std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t highest = begin;
  for (const Block &block : blocks_)
    if (block.begin < end && block.end > begin)
      highest = std::max(highest, block.end);
  return highest;
}

} // namespace popscope
