#include "report/pva/LiveRows.hpp"

#include <algorithm>
#include <numeric>

namespace pva::detail {
namespace {

/// Calls `f` with the nodes that together cover the programs [first, end) of a tree with `programs` leaves.
template <class F> void forNodes(std::size_t programs, std::size_t first, std::size_t end, F &&f) {
  for (first += programs, end += programs; first < end; first /= 2, end /= 2) {
    if (first % 2 != 0)
      f(first++);
    if (end % 2 != 0)
      f(--end);
  }
}

} // namespace

/// Makes lists from the pairs (list, id) that `visit` passes to its argument. The function calls `visit` twice; both
/// calls must pass the same pairs.
template <class Visit> LiveRows::Lists LiveRows::makeLists(std::size_t lists, Visit &&visit) {
  Lists made;
  made.begins.resize(lists + 1);
  visit([&](std::size_t list, std::size_t) { ++made.begins[list + 1]; });
  std::partial_sum(made.begins.begin(), made.begins.end(), made.begins.begin());
  made.ids.resize(made.begins.back());
  std::vector<std::size_t> next(made.begins.begin(), made.begins.end() - 1);
  visit([&](std::size_t list, std::size_t id) { made.ids[next[list]++] = static_cast<std::uint32_t>(id); });
  return made;
}

LiveRows::LiveRows(std::span<const popscope::LivenessClassRecord> classes, std::span<const std::int64_t> classOfRow,
                   std::size_t programs)
    : programs_(programs), rowsOfNode_(2 * programs) {
  rowsOfClass_ = makeLists(classes.size(), [&](auto &&add) {
    for (std::size_t row = 0; row < classOfRow.size(); ++row)
      if (classOfRow[row] >= 0)
        add(static_cast<std::size_t>(classOfRow[row]), row);
  });
  classesOfNode_ = makeLists(2 * programs, [&](auto &&add) {
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (!rowsOfClass_[c].empty())
        for (const auto &[first, end] : classes[c].intervals)
          forNodes(programs, first, end, [&](std::size_t node) { add(node, c); });
  });
  for (std::size_t node = 0; node < rowsOfNode_.size(); ++node)
    for (const std::uint32_t c : classesOfNode_[node])
      rowsOfNode_[node] += rowsOfClass_[c].size();
}

std::vector<std::uint32_t> LiveRows::at(std::uint32_t program) const {
  std::vector<std::uint32_t> rows;
  if (program >= programs_)
    return rows;
  rows.reserve(countAt(program));
  for (std::size_t node = programs_ + program; node > 0; node /= 2)
    for (const std::uint32_t c : classesOfNode_[node])
      rows.insert(rows.end(), rowsOfClass_[c].begin(), rowsOfClass_[c].end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::size_t LiveRows::countAt(std::uint32_t program) const {
  std::size_t rows = 0;
  if (program < programs_)
    for (std::size_t node = programs_ + program; node > 0; node /= 2)
      rows += rowsOfNode_[node];
  return rows;
}

bool isLive(const popscope::LivenessClassRecord &liveClass, std::uint32_t program) {
  const auto &intervals = liveClass.intervals;
  const auto behind = std::upper_bound(intervals.begin(), intervals.end(), program,
                                       [](std::uint32_t p, const auto &interval) { return p < interval.first; });
  return behind != intervals.begin() && program < (behind - 1)->second;
}

} // namespace pva::detail
