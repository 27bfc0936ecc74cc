// HomeElements: maps a byte range of a home back to elements of the home's variable. A home stores its pieces one after
// the other in ascending element order:
//   pieces of v on tile 1: [0,2) at 0, [6,9) at 2      bytes [4,12) of the home (4-byte elements) = v[1,2) v[6,7)
#pragma once
#include "base/Grouped.hpp"
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

class HomeElements {
public:
  /// Creates the index in O(pieces). `program` must outlive the index, and the variables of `program` must not change.
  explicit HomeElements(const StepProgram &program);
  /// Appends the elements that lie in a byte range of a home. Throws InternalError unless the range lies inside the
  /// home, and begins and ends at borders of elements (invariant S4).
  void append(const HomeBytes &range, std::vector<ElementRange> &out) const;

private:
  const StepProgram &program_;
  Grouped<std::uint32_t> pieces_; // per home: indices of StepProgram::pieces, by element
};

} // namespace popscope
