// ViewOps: pure operations on Views. Selections of elements work on whole groups of runs. The cost of a selection
// depends on the number of touched groups and runs, and not on the number of elements. For strided results, the cost
// also depends on the number of positions in all dimensions except the innermost. The cost of a query depends on the
// number of contiguous pieces of the view. The caller must check the arguments; the functions do not.
//
// Every selection of elements, except sliceGroups, is an affine walk over the source's row-major positions:
//   v.shape {2,3}, transpose = gather(offset 0, dims {3 step 1, 2 step 3}) = positions 0 3 1 4 2 5
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace popscope {

/// One dimension of a walk: `size` positions, `step` apart. A step of 0 repeats a position, and a negative step walks
/// back.
struct WalkDim {
  std::uint64_t size = 0;
  std::int64_t step = 0;
};

/// A collector of elements in row-major order. Joins runs that continue each other, and groups three or more runs that
/// follow each other at equal distances. Throws poplar::tensor_creation_error if the result has more than kMaxRuns
/// groups.
class RunBuilder {
public:
  void append(const ViewRun &run);
  void append(const RunGroup &group);
  /// Returns the appended runs, and empties the builder.
  [[nodiscard]] ViewRuns take();

private:
  void close(); // makes the open run a group, or a part of the last group
  void push(const ViewRun &run, const ViewLevel *levels, std::size_t numLevels);
  bool joinsLast(const ViewRun &run, const ViewLevel *levels, std::size_t numLevels);
  ViewRun open_; // count 0: no open run
  ViewRuns::Table table_;
};

/// A maximal piece of a view that is contiguous in its variable: elements [begin, begin + count) at view positions
/// [position, position + count).
struct ViewPiece {
  GraphVarId var;
  std::uint64_t begin = 0, count = 0, position = 0;
};
/// Returns whether a is before b in memory order: by variable, then element, then position, then length.
inline bool liesBefore(const ViewPiece &a, const ViewPiece &b) {
  return std::tie(a.var, a.begin, a.position, a.count) < std::tie(b.var, b.begin, b.position, b.count);
}
/// A reader that returns the pieces of a view one by one, in view order, and stores no list of the pieces. The view
/// must outlive the reader.
class PieceReader {
public:
  explicit PieceReader(const RunList &runs) : run_(runs.begin()), end_(runs.end()) {}
  /// Creates a reader of the elements at positions [begin, end), which must be in the view. Cost of creation:
  /// logarithmic in the number of groups.
  PieceReader(const ViewRuns &runs, std::uint64_t begin, std::uint64_t end);
  /// Returns the next piece, or no value if no piece is left.
  [[nodiscard]] std::optional<ViewPiece> next();

private:
  [[nodiscard]] std::optional<ViewPiece> nextPart();
  ViewRuns::iterator run_, end_;
  std::uint64_t element_ = 0; // number of the next element within the run
  std::uint64_t position_ = 0, stop_ = ~std::uint64_t(0);
  std::optional<ViewPiece> open_;
};
/// A half-open range of elements of a variable.
struct VarInterval {
  GraphVarId var;
  std::uint64_t begin = 0, end = 0;
};

/// Throws the poplar::tensor_creation_error that reports a view of more than kMaxRuns runs.
[[noreturn]] void throwTooManyRuns();
/// Calls throwTooManyRuns if the view has more than kMaxRuns runs. Even a view of one group may have more than kMaxRuns
/// runs.
void checkListable(const RunList &v);

[[nodiscard]] std::uint64_t productOf(const std::vector<std::size_t> &shape);

[[nodiscard]] View wholeVariable(GraphVarId var, ElementType type, std::vector<std::size_t> shape);
/// Returns the elements at the positions offset + sum(index_i * step_i) of v, row-major over `dims`. The shape of the
/// result consists of the sizes of `dims`. All other selections except sliceGroups are special cases of gather.
[[nodiscard]] View gather(const View &v, std::int64_t offset, const std::vector<WalkDim> &dims);

[[nodiscard]] View reshape(const View &v, std::vector<std::size_t> shape);
[[nodiscard]] View slice(const View &v, std::size_t begin, std::size_t end, unsigned dim);
/// Returns one view for each group of half-open intervals of the dimension: the slices at these intervals, joined along
/// the dimension.
[[nodiscard]] std::vector<View>
sliceGroups(const View &v, const std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> &groups,
            unsigned dim);
[[nodiscard]] View slice(const View &v, const std::vector<std::size_t> &begin, const std::vector<std::size_t> &end);
[[nodiscard]] View index(const View &v, const std::vector<std::size_t> &leading);
[[nodiscard]] View index(const View &v, std::size_t first);
[[nodiscard]] View dimShuffle(const View &v, const std::vector<unsigned> &permutation);
[[nodiscard]] View subSample(const View &v, std::size_t stride, unsigned dim);
[[nodiscard]] View upsample(const View &v, std::size_t scale, unsigned dim);
[[nodiscard]] View broadcast(const View &v, std::size_t count, unsigned dim);
[[nodiscard]] View reverse(const View &v, unsigned dim);
/// Joins views along `dim`. The shapes of the views must be equal except in `dim`, and `views` must not be empty.
[[nodiscard]] View concat(const std::vector<const View *> &views, unsigned dim);

/// Returns the pieces in view order. Throws poplar::tensor_creation_error if the view has more than kMaxRuns runs.
[[nodiscard]] std::vector<ViewPiece> contiguousPieces(const RunList &v);
/// Returns the elements that a view touches, as intervals sorted by variable and element. An element that occurs twice
/// is in two intervals.
[[nodiscard]] std::vector<VarInterval> sortedIntervals(const RunList &v);
/// Returns the intervals of sortedIntervals(v). Joins overlapping and adjacent intervals.
[[nodiscard]] std::vector<VarInterval> joinedIntervals(const RunList &v);
[[nodiscard]] bool containsAliases(const RunList &v);
[[nodiscard]] bool intersects(const View &a, const View &b);
/// The relation of two views, each of one variable, that visit their elements in the same pattern. Example: the views
/// are the same transpose of two tensors with the same shape. If element e is at a position of the view `one`, element
/// e + offset of `var` is at this position of the view `other`. The two views may consist of different runs.
struct SameWalk {
  GraphVarId var; // the variable of the other view
  std::int64_t offset = 0;
};
[[nodiscard]] std::optional<SameWalk> sameWalk(const ViewRuns &one, const ViewRuns &other);
/// Returns whether both views have the same elements in the same order; ignores shapes and types.
[[nodiscard]] bool sameElements(const View &a, const View &b);

} // namespace popscope
