// Equal sets of live intervals are stored once, as classes.
#pragma once
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace popscope {

/// Adds classes to `ranges` in the order in which new sets of intervals are interned. Class 0 is the empty set,
/// class 1 covers [0, numSteps). `ranges` must outlive it.
class ClassInterner {
public:
  ClassInterner(LiveRanges &ranges, std::uint32_t numSteps);
  /// `intervals` sorted, not touching.
  LiveClassId intern(const std::vector<StepInterval> &intervals);

private:
  LiveRanges &ranges_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> byHash_; // looked up, never iterated
};

} // namespace popscope
