#include "liveness/analysis/InternClasses.hpp"

#include <algorithm>

namespace popscope {
namespace {

std::uint64_t hashOf(const std::vector<StepInterval> &intervals) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  const auto mix = [&h](std::uint32_t value) { h = (h ^ value) * 0x100000001b3ULL; };
  for (const StepInterval &i : intervals) {
    mix(i.begin.index());
    mix(i.end.index());
  }
  return h;
}

} // namespace

ClassInterner::ClassInterner(LiveRanges &ranges, std::uint32_t numSteps) : ranges_(ranges) {
  intern({});
  intern({{StepIndex(0), StepIndex(numSteps)}});
}

LiveClassId ClassInterner::intern(const std::vector<StepInterval> &intervals) {
  std::vector<std::uint32_t> &candidates = byHash_[hashOf(intervals)];
  for (const std::uint32_t c : candidates) {
    const LiveClass &k = ranges_.classes[c];
    if (k.numIntervals == intervals.size() &&
        std::equal(intervals.begin(), intervals.end(), ranges_.intervals.begin() + k.firstInterval))
      return LiveClassId(c);
  }
  candidates.push_back(static_cast<std::uint32_t>(ranges_.classes.size()));
  ranges_.classes.push_back(
      {static_cast<std::uint32_t>(ranges_.intervals.size()), static_cast<std::uint32_t>(intervals.size())});
  ranges_.intervals.insert(ranges_.intervals.end(), intervals.begin(), intervals.end());
  return LiveClassId(candidates.back());
}

} // namespace popscope
