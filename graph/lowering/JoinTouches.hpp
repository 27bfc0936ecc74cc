// JoinTouches: from what a step does to elements, in any order, to its accesses (invariant S3).
//   reads  a[4,8) a[0,4) b[7,8)   writes a[0,1)      =>  a: read [0,8); write [0,1)   b: read [7,8)
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

/// What a step does to elements of a variable.
struct Touch {
  VarId var;
  AccessKind kind = AccessKind::Read;
  std::uint16_t member = 0; // see Access::member
  std::uint64_t begin = 0, end = 0;
};

/// Appends one access for each (variable, kind, member), in this order, with its elements as sorted ranges of which no
/// two touch. Empty touches add nothing. Returns how many accesses. Touches are grouped by variable by counting; what
/// comes sorted is only read, and elements of a variable that are touched densely are joined by a bit each: a sort is
/// the last resort.
std::uint32_t joinTouches(std::vector<Touch> touches, LargeTable<Access> &accesses, LargeTable<ElementRange> &ranges);

/// Touches of a step that are joined whenever they have become many, so that a copy by element never has all of its
/// touches at once. What joinTouches makes of them is the same.
class TouchBlocks {
public:
  static constexpr std::size_t kMany = std::size_t(1) << 21;
  std::vector<Touch> touches;
  /// Joins the collected touches to save memory; the caller calls it from time to time while it adds touches.
  void shrink() {
    if (touches.size() >= limit_)
      join();
  }

private:
  void join();
  std::size_t limit_ = kMany;
};

} // namespace popscope
