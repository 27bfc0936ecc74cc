#include "liveness/layout/FirstFit.hpp"

#include "base/HashIndex.hpp"
#include "liveness/layout/MeetingMask.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

namespace popscope {
namespace {

constexpr std::uint64_t kLivesPerSlot = 3; // measured: 2 to 6 give similar results; smaller values need more slots,
                                           // larger values more entries
constexpr unsigned kMaxShift = 15;         // times in a slot fit into 16 bits
constexpr unsigned kRankShift = 18;        // from this shift on, ranks replace times
constexpr std::int32_t kMiddle = 1 << 14;
constexpr std::int16_t kNever = std::numeric_limits<std::int16_t>::max();

// Moves the entries [position, last) of a slot's column up by one, and stores the value at `position`.
template <class T>
void insertBefore(std::vector<T> &column, std::uint32_t position, std::uint32_t last, std::type_identity_t<T> value) {
  std::copy_backward(column.begin() + position, column.begin() + last, column.begin() + last + 1);
  column[position] = value;
}

} // namespace

FirstFitHeap::FirstFitHeap(const PackProblem &problem, std::span<const std::uint32_t> inserted) {
  std::uint32_t lastTime = chooseSlots(problem, inserted);
  if (shift_ >= kRankShift && lastTime > 2 * problem.spans.size()) {
    rankTimes(problem);
    lastTime = chooseSlots(problem, inserted);
  }
  shift_ = std::min(shift_, kMaxShift);
  slots_.assign((lastTime >> shift_) + 1, {0, 0});
  for (const std::uint32_t i : inserted)
    for (const PackSpan &plain : problem.spansOf(problem.items[i])) {
      const PackSpan span = mapped(plain);
      for (std::uint32_t s = span.begin >> shift_; s <= (span.end - 1) >> shift_; ++s)
        ++slots_[s].last;
    }
  std::uint32_t end = 0;
  for (Slot &slot : slots_) {
    const auto room = static_cast<std::uint32_t>((slot.last + kMaskEntries - 1) / kMaskEntries * kMaskEntries);
    slot = {end, end};
    end += room;
  }
  begins_.assign(end, kNever);
  ends_.assign(end, kNever);
  places_.resize(end);
}

// Chooses the length of slots from the mean life. Returns the last time, counted from the first one.
std::uint32_t FirstFitHeap::chooseSlots(const PackProblem &problem, std::span<const std::uint32_t> inserted) {
  std::uint32_t first = ~std::uint32_t(0), last = 0;
  for (const PackSpan &span : problem.spans) {
    first = std::min(first, span.begin);
    last = std::max(last, span.end);
  }
  firstTime_ = std::min(first, last);
  std::uint64_t lived = 0, spans = 0;
  for (const std::uint32_t i : inserted)
    for (const PackSpan &span : problem.spansOf(problem.items[i])) {
      const PackSpan times = mapped(span);
      lived += times.end - times.begin;
      ++spans;
    }
  shift_ = static_cast<unsigned>(std::bit_width(kLivesPerSlot * lived / std::max<std::uint64_t>(1, spans)));
  return ranked_.empty() ? last - firstTime_ : static_cast<std::uint32_t>(ranked_.size());
}

// Replaces times by their ranks, so that long stretches without any begin or end cost no slots.
void FirstFitHeap::rankTimes(const PackProblem &problem) {
  ranked_.reserve(2 * problem.spans.size());
  for (const PackSpan &span : problem.spans) {
    ranked_.push_back(span.begin);
    ranked_.push_back(span.end);
  }
  std::sort(ranked_.begin(), ranked_.end());
  ranked_.erase(std::unique(ranked_.begin(), ranked_.end()), ranked_.end());
}

// Converts the span to slot times, which are ranks or count from the first time.
PackSpan FirstFitHeap::mapped(PackSpan span) const {
  if (ranked_.empty())
    return {span.begin - firstTime_, span.end - firstTime_};
  const auto rank = [&](std::uint32_t time) {
    return static_cast<std::uint32_t>(std::lower_bound(ranked_.begin(), ranked_.end(), time) - ranked_.begin());
  };
  return {rank(span.begin), rank(span.end)};
}

std::int16_t FirstFitHeap::inSlot(std::uint32_t time, std::uint32_t slot) const {
  const std::uint32_t begin = slot << shift_;
  return static_cast<std::int16_t>(
      time <= begin ? -kMiddle : static_cast<std::int32_t>(std::min(time - begin, 1U << shift_)) - kMiddle);
}

// Climbs over the entries of one slot that meet the item, up to an entry below which the item fits.
template <class RoundUp>
std::uint64_t FirstFitHeap::pass(Cursor &cursor, std::uint64_t bytes, std::uint64_t at, RoundUp roundUp) const {
  Cursor c = cursor;
  for (;;) {
    for (; c.mask != 0; c.mask &= c.mask - 1) {
      const Place place = places_[c.base + static_cast<std::uint32_t>(std::countr_zero(c.mask))];
      if (place.at >= roundUp(at) + bytes) {
        cursor = c;
        return at;
      }
      at = std::max(at, place.end);
    }
    if (c.next >= c.last || places_[c.next].at >= roundUp(at) + bytes)
      break;
    c.base = c.next;
    c.next += kMaskEntries;
    c.mask = meetingMask(&begins_[c.base], &ends_[c.base], c.begin, c.end);
  }
  cursor = c;
  return at;
}

// Walks all cursors alternately until a full round no longer raises the address. The address only grows, so each slot
// is walked once.
template <class RoundUp> std::uint64_t FirstFitHeap::climb(std::uint64_t bytes, std::uint64_t at, RoundUp roundUp) {
  const std::size_t count = cursors_.size();
  for (std::size_t settled = 0, c = 0; settled < count; c = c + 1 < count ? c + 1 : 0) {
    const std::uint64_t before = at;
    at = pass(cursors_[c], bytes, at, roundUp);
    settled = at == before ? settled + 1 : 1;
  }
  return roundUp(at);
}

// Returns the cache entry for queries with these arguments.
FirstFitHeap::Asked &FirstFitHeap::lastLike(PackSpan span, std::uint64_t bytes, std::uint64_t from) {
  const std::uint64_t hash = mixHash(mixHash(std::uint64_t(span.begin) << 32 | span.end, bytes), from);
  return asked_[(hash >> 32) % asked_.size()];
}

// Fills reach_ of one slot. For each entry, reach_ contains the highest end of this entry and all entries before it.
void FirstFitHeap::keepReach(Slot &slot) {
  slot.reaches = true;
  reach_.resize(places_.size());
  std::uint64_t highest = 0;
  for (std::uint32_t entry = slot.first; entry < slot.last; ++entry)
    reach_[entry] = highest = std::max(highest, places_[entry].end);
}

// Returns a cursor at the first entry that ends above the address, and skips the earlier entries.
FirstFitHeap::Cursor FirstFitHeap::cursorAt(Slot &slot, std::int16_t begin, std::int16_t end, std::uint64_t at) {
  if (!slot.reaches)
    keepReach(slot);
  const auto first = reach_.begin() + slot.first, last = reach_.begin() + slot.last;
  const auto passed = static_cast<std::uint32_t>(std::upper_bound(first, last, at) - first);
  const std::uint32_t inGroup = passed % kMaskEntries, group = slot.first + passed - inGroup;
  if (inGroup == 0)
    return {group, group, slot.last, begin, end, 0};
  const std::uint64_t mask = meetingMask(&begins_[group], &ends_[group], begin, end) & ~std::uint64_t(0) << inGroup;
  return {group, group + static_cast<std::uint32_t>(kMaskEntries), slot.last, begin, end, mask};
}

std::uint64_t FirstFitHeap::lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                                   std::uint64_t from) {
  Asked *const like = spans.size() == 1 ? &lastLike(spans[0], bytes, from) : nullptr;
  const bool known = like != nullptr && like->span.begin == spans[0].begin && like->span.end == spans[0].end &&
                     like->bytes == bytes && alignment % like->alignment == 0 && like->from == from;
  std::uint64_t at = known ? like->at : from;
  cursors_.clear();
  for (const PackSpan &span : spans) {
    const PackSpan times = mapped(span);
    for (std::uint32_t s = times.begin >> shift_, last = (times.end - 1) >> shift_; s <= last; ++s)
      if (const std::int16_t begin = inSlot(times.begin, s), end = inSlot(times.end, s); known)
        cursors_.push_back(cursorAt(slots_[s], begin, end, at));
      else
        cursors_.push_back({0, slots_[s].first, slots_[s].last, begin, end, 0});
  }
  if ((alignment & (alignment - 1)) == 0)
    at = climb(bytes, at, [mask = alignment - 1](std::uint64_t end) { return (end + mask) & ~mask; });
  else
    at = climb(bytes, at, [alignment](std::uint64_t end) { return roundUpTo(end, alignment); });
  if (like != nullptr)
    *like = {spans[0], bytes, alignment, from, at};
  return at;
}

void FirstFitHeap::insert(std::span<const PackSpan> spans, std::uint64_t at, std::uint64_t bytes) {
  for (const PackSpan &span : spans) {
    const PackSpan times = mapped(span);
    for (std::uint32_t s = times.begin >> shift_, last = (times.end - 1) >> shift_; s <= last; ++s) {
      Slot &slot = slots_[s];
      const auto position = static_cast<std::uint32_t>(
          std::upper_bound(places_.begin() + slot.first, places_.begin() + slot.last, at,
                           [](std::uint64_t address, const Place &p) { return address < p.at; }) -
          places_.begin());
      insertBefore(places_, position, slot.last, {at, at + bytes});
      insertBefore(begins_, position, slot.last, inSlot(times.begin, s));
      insertBefore(ends_, position, slot.last, inSlot(times.end, s));
      if (slot.reaches) {
        const std::uint64_t reach = std::max(at + bytes, position == slot.first ? 0 : reach_[position - 1]);
        insertBefore(reach_, position, slot.last, reach);
        for (std::uint32_t above = position + 1; above <= slot.last && reach_[above] < reach; ++above)
          reach_[above] = reach;
      }
      ++slot.last;
    }
  }
}

std::vector<std::uint64_t> firstFit(const PackProblem &problem, std::span<const std::uint32_t> order) {
  FirstFitHeap heap(problem, order);
  std::vector<std::uint64_t> addresses(problem.items.size(), 0);
  for (const std::uint32_t i : order) {
    const PackItem &item = problem.items[i];
    const auto spans = problem.spansOf(item);
    addresses[i] = heap.lowest(spans, item.bytes, item.alignment, 0);
    heap.insert(spans, addresses[i], item.bytes);
  }
  return addresses;
}

} // namespace popscope
