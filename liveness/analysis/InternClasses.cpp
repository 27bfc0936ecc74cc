#include "liveness/analysis/InternClasses.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

std::uint64_t ClassInterner::hashOf(const StepInterval *intervals, std::uint32_t count) {
  std::uint64_t h = count * 0x9e3779b97f4a7c15ULL;
  for (std::uint32_t i = 0; i < count; ++i) {
    h ^= (std::uint64_t(intervals[i].begin.index()) << 32U) | intervals[i].end.index();
    h *= 0xd6e8feb86659fd93ULL;
    h ^= h >> 32U;
  }
  return h;
}

void ClassInterner::grow(std::size_t slots) {
  slots_.assign(slots, 0);
  for (std::size_t c = 0; c < hashes_.size(); ++c) {
    std::size_t at = hashes_[c] & (slots - 1);
    while (slots_[at] != 0)
      at = (at + 1) & (slots - 1);
    slots_[at] = static_cast<std::uint32_t>(c) + 1;
  }
}

void ClassInterner::reserve(std::size_t classes, std::size_t intervals) {
  std::size_t slots = 16;
  while (slots < 2 * classes + 2)
    slots *= 2;
  if (slots > slots_.size())
    grow(slots);
  classes_.reserve(classes);
  hashes_.reserve(classes);
  intervals_.reserve(intervals);
}

std::uint32_t ClassInterner::intern(const StepInterval *intervals, std::uint32_t count, std::uint64_t hash) {
  if (2 * (classes_.size() + 1) > slots_.size())
    grow(std::max<std::size_t>(16, slots_.size() * 2));
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    const std::uint32_t c = slots_[at] - 1;
    if (hashes_[c] == hash && classes_[c].numIntervals == count &&
        std::equal(intervals, intervals + count, intervals_.data() + classes_[c].firstInterval))
      return c;
  }
  classes_.push_back({static_cast<std::uint32_t>(intervals_.size()), count});
  hashes_.push_back(hash);
  intervals_.insert(intervals_.end(), intervals, intervals + count);
  slots_[at] = static_cast<std::uint32_t>(classes_.size());
  return slots_[at] - 1;
}

std::vector<std::uint32_t> ClassInterner::merge(const ClassInterner &other) {
  constexpr std::size_t kAhead = 8;
  std::vector<std::uint32_t> here;
  here.reserve(other.classes_.size());
  for (std::size_t c = 0; c < other.classes_.size(); ++c) {
    if (c + kAhead < other.classes_.size() && !slots_.empty())
      __builtin_prefetch(&slots_[other.hashes_[c + kAhead] & (slots_.size() - 1)]);
    const LiveClass &k = other.classes_[c];
    here.push_back(intern(other.intervals_.data() + k.firstInterval, k.numIntervals, other.hashes_[c]));
  }
  return here;
}

void ClassInterner::moveInto(LiveRanges &ranges) {
  ranges.classes = std::exchange(classes_, {});
  ranges.intervals = std::exchange(intervals_, {});
  hashes_.clear();
  slots_.clear();
}

} // namespace popscope
