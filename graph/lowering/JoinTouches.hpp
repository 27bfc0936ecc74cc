// JoinTouches: turns the touches of a step, which come in any order, into the accesses of the step (invariant S3).
//   reads  a[4,8) a[0,4) b[7,8)   writes a[0,1)      =>  a: read [0,8); write [0,1)   b: read [7,8)
//
// Problem: a step of a large graph has tens of millions of touches. Idea: a counting sort groups the touches by
// variable. A group that is already in order needs one pass. A group whose touches are close together (a dense group)
// is joined in a bitmap with one bit per element. Only the remaining groups are sorted. Invariant: ranges of one access
// are ascending and have gaps between them. Cost: linear, except for the groups that are sorted (n log n).
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

/// A range of elements of a variable that a step reads, writes or undefines.
struct Touch {
  VarId var;
  AccessKind kind = AccessKind::Read;
  std::uint16_t member = 0; // number of the merged source to which the touch belongs (Access::member)
  std::uint64_t begin = 0, end = 0;
};

/// Appends one access for each (variable, kind, member), sorted by these three. Returns the number of appended
/// accesses. The ranges of an access are sorted, and overlapping and adjacent ranges are joined. Empty touches add
/// nothing.
std::uint32_t joinTouches(std::vector<Touch> touches, LargeTable<Access> &accesses, LargeTable<ElementRange> &ranges);

/// A collector of the touches of a step. The collector joins the touches whenever their number becomes large. A copy of
/// single elements therefore never stores all of its touches at once. joinTouches appends the same accesses for the
/// original touches and for the joined touches.
class TouchBlocks {
public:
  static constexpr std::size_t kMany = std::size_t(1) << 21;
  std::vector<Touch> touches;
  /// Joins the collected touches if there are many, to save memory. Call shrink from time to time while touches are
  /// added.
  void shrink() {
    if (touches.size() >= limit_)
      join();
  }

private:
  void join();
  std::size_t limit_ = kMany;
};

} // namespace popscope
