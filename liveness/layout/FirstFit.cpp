#include "liveness/layout/FirstFit.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {

FirstFitHeap::FirstFitHeap(const PackProblem &problem) {
  std::uint32_t last = 0;
  std::uint64_t lived = 0;
  firstTime_ = ~std::uint32_t(0);
  for (const PackSpan &span : problem.spans) {
    firstTime_ = std::min(firstTime_, span.begin);
    last = std::max(last, span.end);
    lived += span.end - span.begin;
  }
  if (problem.spans.empty() || last <= firstTime_)
    firstTime_ = 0;
  const std::uint64_t width = std::max<std::uint64_t>(1, last - firstTime_);
  const std::uint64_t mean = std::max<std::uint64_t>(1, lived / std::max<std::size_t>(1, problem.spans.size()));
  std::uint64_t count = std::max<std::uint64_t>(1, width / mean);
  count = std::min({count, width, std::max<std::uint64_t>(1, problem.spans.size())});
  slotsPerTime_ = (count << kShift) / width; // rounded down: the last time stays inside the last slot
  slots_.resize(count);
}

template <class RoundUp> std::uint64_t FirstFitHeap::climb(std::uint64_t bytes, std::uint64_t at, RoundUp roundUp) {
  for (std::size_t settled = 0, c = 0; settled < cursors_.size(); c = c + 1 < cursors_.size() ? c + 1 : 0) {
    Cursor &cursor = cursors_[c];
    const PackSpan span = cursor.span;
    const std::uint64_t before = at;
    const Entry *next = cursor.next, *const last = cursor.last;
    for (; next != last && next->at < at + bytes; ++next) {
      const bool meets = (next->firstTime < span.end) & (next->lastTime > span.begin) & (next->end > at);
      at = meets ? roundUp(next->end) : at;
    }
    cursor.next = next;
    settled = at == before ? settled + 1 : 1;
  }
  return at;
}

std::uint64_t FirstFitHeap::lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                                   std::uint64_t from) {
  cursors_.clear();
  for (const PackSpan &span : spans)
    for (std::uint32_t s = slotOf(span.begin), last = slotOf(span.end - 1); s <= last; ++s)
      cursors_.push_back({slots_[s].data(), slots_[s].data() + slots_[s].size(), span});
  if ((alignment & (alignment - 1)) == 0)
    return climb(bytes, roundUpTo(from, alignment), [mask = alignment - 1](std::uint64_t end) { return (end + mask) & ~mask; });
  return climb(bytes, roundUpTo(from, alignment), [alignment](std::uint64_t end) { return roundUpTo(end, alignment); });
}

void FirstFitHeap::insert(std::span<const PackSpan> spans, std::uint64_t at, std::uint64_t bytes) {
  for (const PackSpan &span : spans)
    for (std::uint32_t s = slotOf(span.begin); s <= slotOf(span.end - 1); ++s) {
      std::vector<Entry> &slot = slots_[s];
      const auto place = std::upper_bound(slot.begin(), slot.end(), at,
                                          [](std::uint64_t address, const Entry &e) { return address < e.at; });
      slot.insert(place, {at, at + bytes, span.begin, span.end});
    }
}

std::vector<std::uint64_t> firstFit(const PackProblem &problem, std::span<const std::uint32_t> order) {
  FirstFitHeap heap(problem);
  std::vector<std::uint64_t> addresses(problem.items.size(), 0);
  for (const std::uint32_t i : order) {
    const PackItem &item = problem.items[i];
    const auto spans = problem.spansOf(item);
    addresses[i] = heap.lowest(spans, item.bytes, item.alignment, 0);
    heap.insert(spans, addresses[i], item.bytes);
  }
  return addresses;
}

std::vector<std::uint32_t> decreasingSize(const PackProblem &problem) {
  struct Key {
    std::uint64_t size, life;
    std::uint32_t begin, index;
  };
  std::vector<Key> keys;
  keys.reserve(problem.items.size());
  for (const PackItem &item : problem.items) {
    Key key{~item.bytes, ~std::uint64_t(0), 0, static_cast<std::uint32_t>(keys.size())};
    for (const PackSpan &span : problem.spansOf(item))
      key.life -= span.end - span.begin;
    if (item.numSpans > 0)
      key.begin = problem.spans[item.firstSpan].begin;
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end(), [](const Key &a, const Key &b) {
    return std::tie(a.size, a.life, a.begin, a.index) < std::tie(b.size, b.life, b.begin, b.index);
  });
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const Key &key : keys)
    order.push_back(key.index);
  return order;
}

} // namespace popscope
