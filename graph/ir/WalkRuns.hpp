// WalkRuns: affine walks over the runs of a view by position. A group (RunGroup in View.hpp) repeats one run in nested
// levels. The elements that a walk visits form one group under two conditions. The steps of the walk leave a level only
// at the level's end, and the visited elements need at most RunGroup::kMaxLevels levels. Any other walk goes row by
// row; a row is one pass through the innermost dimension of the walk. This header is internal to ViewOps.
#pragma once
#include "graph/ir/ViewOps.hpp"

#include <optional>

namespace popscope {

/// Returns `count` elements of the run: from number `local` on, every `step`-th element.
inline ViewRun partOf(const ViewRun &run, std::uint64_t local, std::int64_t step, std::uint64_t count) {
  const auto begin = static_cast<std::int64_t>(run.begin) + static_cast<std::int64_t>(local) * run.stride;
  return {run.var, static_cast<std::uint64_t>(begin), run.stride * step, count, run.ofWhole};
}

inline std::uint64_t movedBy(std::uint64_t begin, std::int64_t by) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(begin) + by);
}

/// Appends elements [lo, hi) of the group. Appends the complete repetitions of the outermost level as one group.
/// Divides the incomplete repetitions before and after this group at the next inner level.
void appendRange(const RunGroup &group, std::uint64_t lo, std::uint64_t hi, RunBuilder &out);
/// Returns a group of the elements that a walk visits. The walk begins at position `offset` of `group`. `dims` are the
/// dimensions of the walk, outermost first. Returns no value if a step leaves a level of `group` before the level's
/// end, or if the group of the result would need more than RunGroup::kMaxLevels levels. All positions of the walk must
/// lie in `group`.
[[nodiscard]] std::optional<RunGroup> walkOfGroup(const RunGroup &group, std::int64_t offset, const WalkDim *dims,
                                                  std::size_t numDims);

/// A reader of the runs of a view by position. Remembers the last group, because walks mostly stay near that group. A
/// column is one position of the innermost dimension, over all rows. For walks that go row by row, remembers the last
/// group of each column, because the column's next position is mostly near this group.
class PositionReader {
public:
  explicit PositionReader(const View &v) : runs_(v.runs) {}
  /// Appends the `count` elements at the positions pos, pos + step, pos + 2 * step, ...
  void walk(std::int64_t pos, std::int64_t step, std::uint64_t count, RunBuilder &out);
  /// Appends the elements at all positions of a walk in row-major order; `numDims` must not be 0.
  void walkAll(std::int64_t offset, const WalkDim *dims, std::size_t numDims, RunBuilder &out);

private:
  bool walkGroup(std::int64_t offset, const WalkDim *dims, std::size_t numDims, RunBuilder &out);
  /// Walks two dimensions. Appends several rows as one group where possible, and walks all other rows one by one.
  /// `outer.step` must be positive.
  void walkRows(std::int64_t offset, const WalkDim &outer, const WalkDim &inner, RunBuilder &out);
  /// Returns the number of rows, at least 1, during which every position of the inner dimension stays in its group. If
  /// the elements of a column cannot be one group, counts only the rows before the position in this column leaves the
  /// run in which the position begins.
  std::uint64_t stepsInGroups(std::int64_t offset, const WalkDim &outer, const WalkDim &inner);
  /// Appends the walk as one group if the elements of each column are one group, and if these groups differ only in
  /// their first elements, which are at equal distances. Otherwise appends nothing and returns false. The caller
  /// guarantees that each position stays in its group during all steps of the outer dimension.
  bool walkColumns(std::int64_t offset, const WalkDim &outer, const WalkDim &inner, RunBuilder &out);
  /// Returns the elements of column `i` that `steps` visits, beginning at position `pos`. Returns no value if these
  /// elements are not one group, or leave the group of `pos`.
  std::optional<RunGroup> column(std::uint64_t i, std::int64_t pos, const WalkDim &steps);
  std::uint64_t emit(std::uint64_t pos, std::int64_t step, std::uint64_t count, RunBuilder &out);
  void find(std::uint64_t pos);
  /// Finds the group of position `pos` in column `i`. The search begins at the last group of this column.
  void findInColumn(std::uint64_t i, std::uint64_t pos);
  [[nodiscard]] bool contains(std::size_t group, std::uint64_t pos) const {
    return group < runs_.numGroups() && runs_.startOf(group) <= pos && pos < runs_.startOf(group + 1);
  }
  const ViewRuns &runs_;
  std::size_t at_ = 0;
  static constexpr std::uint64_t kMaxColumns = std::uint64_t(1) << 20; // maximum number of columns in columnAt_
  std::vector<std::size_t> columnAt_; // the last group of each column, for walks that go row by row
};

} // namespace popscope
