// MemoryOrder: the memory order of views with many pieces in random order. A table has one place for each element of
// the ranges that the view touches (one range per variable), so that no sorting is necessary. In the example, "." marks
// an element that the view does not have, and "-" an unused place between two ranges.
//   view b2 a5 a3     ranges a[3,6) b[2,3)     places a3 a4 a5 - b2     positions there 2 . 1 - 0
// MemoryOrder sorts the pieces instead if the view has few groups, has billions of elements, contains an element twice,
// or has few pieces compared with the number of places. TouchedElements::of() returns no value in these four cases,
// with two differences: an element may occur twice, and TouchedElements accepts more places for each piece.
#pragma once
#include "base/BitRanges.hpp"
#include "graph/ir/ViewOps.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace popscope {

/// For each variable of a view, the range that the view touches and the places of this range.
class TouchedRanges {
public:
  struct Range {
    GraphVarId var;
    std::uint64_t begin = 0, end = 0; // elements of `var`
    std::uint64_t firstPlace = 0;
    [[nodiscard]] std::uint64_t endPlace() const { return firstPlace + (end - begin); }
  };
  /// Collects the ranges. Cost: linear in the view's pieces, plus a sort of the view's variables.
  explicit TouchedRanges(const RunList &runs);
  [[nodiscard]] std::uint64_t pieces() const { return pieces_; }
  /// Returns the number of places, including the unused place between two ranges.
  [[nodiscard]] std::uint64_t places() const { return ranges_.empty() ? 0 : ranges_.back().endPlace(); }
  [[nodiscard]] const std::vector<Range> &ranges() const { return ranges_; } // sorted by variable
  [[nodiscard]] std::uint64_t placeOf(GraphVarId var, std::uint64_t element);

private:
  std::uint64_t pieces_ = 0;
  std::vector<Range> ranges_;
  std::unordered_map<std::uint32_t, std::size_t> numbers_; // the range of each variable; lookup only
  std::size_t last_ = 0;                                   // the range that was found last
};

/// The set of elements that a view touches.
class TouchedElements {
public:
  /// Returns no value for some views (see the top of this header). The caller then sorts intervals instead.
  [[nodiscard]] static std::optional<TouchedElements> of(const RunList &runs);
  /// Returns whether an element occurs twice.
  [[nodiscard]] bool anyTwice() const { return anyTwice_; }
  /// Returns the elements as intervals, sorted by variable and element. Overlapping and adjacent intervals are joined.
  [[nodiscard]] std::vector<VarInterval> intervals() const;

private:
  explicit TouchedElements(TouchedRanges ranges) : ranges_(std::move(ranges)) {}
  TouchedRanges ranges_;
  BitRanges bits_;
  bool anyTwice_ = false;
};

/// The positions of a view in the order of memory: by variable, element and position.
class MemoryOrder {
public:
  explicit MemoryOrder(const RunList &runs);
  /// Calls use(position, count) for pieces of consecutive positions, in the order of memory.
  void eachPiece(const std::function<void(std::uint64_t, std::uint64_t)> &use) const;
  /// Returns `other`, a view of equal size, as a flat view in another order. The order is the permutation that brings
  /// the view of the constructor into memory order.
  [[nodiscard]] View of(const View &other) const;

private:
  bool fillTable(const RunList &runs);
  void sortPieces(const RunList &runs);
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  std::vector<std::uint32_t> positions_; // positions by place; empty if pieces_ are sorted instead
  std::vector<ViewPiece> pieces_;
  std::uint64_t elements_ = 0;
};

} // namespace popscope
