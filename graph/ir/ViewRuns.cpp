#include "graph/ir/WalkRuns.hpp"

#include "base/Check.hpp"
#include "base/CheckedSize.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>

namespace popscope {

namespace {

/// Returns the distance from the last element of one run to the first element of the other.
std::int64_t jumpTo(const ViewRun &last, const ViewRun &run) {
  return static_cast<std::int64_t>(run.begin) -
         (static_cast<std::int64_t>(last.begin) + static_cast<std::int64_t>(last.count - 1) * last.stride);
}

bool sameShape(const ViewRun &a, const ViewRun &b) {
  return a.var == b.var && a.ofWhole == b.ofWhole && a.count == b.count && a.stride == b.stride;
}

} // namespace

void throwTooManyRuns() {
  throw poplar::tensor_creation_error(
      fmt::format("A view of a tensor consists of more than {} separate runs of elements; a view has at most "
                  "that many. Copy the tensor into a variable with the order that you need.",
                  kMaxRuns));
}

ViewRuns::ViewRuns(const std::vector<ViewRun> &runs) {
  if (runs.empty())
    return;
  if (runs.size() == 1) {
    one_ = runs.front();
    isOne_ = true;
    return;
  }
  auto table = std::make_shared<Table>();
  std::uint64_t end = 0;
  for (const ViewRun &run : runs) {
    table->groups.push_back({run, 0, 0});
    table->ends.push_back(end += run.count);
  }
  many_ = std::move(table);
}

std::uint64_t ViewRuns::size() const {
  std::uint64_t n = 0;
  for (std::size_t g = 0; g != numGroups(); ++g)
    n += runsOf(g);
  return n;
}

std::uint64_t ViewRuns::runsOf(std::size_t group) const {
  std::uint64_t n = 1;
  if (!isPlain(group))
    for (std::uint32_t i = 0; i != many_->groups[group].numLevels; ++i)
      n *= many_->levels[many_->groups[group].firstLevel + i].count;
  return n;
}

RunGroup ViewRuns::group(std::size_t group) const {
  RunGroup out;
  out.run = firstRun(group);
  if (!isPlain(group)) {
    const Group &g = many_->groups[group];
    out.numLevels = g.numLevels;
    std::copy_n(many_->levels.begin() + g.firstLevel, g.numLevels, out.outer.begin());
  }
  return out;
}

std::uint64_t ViewRuns::beginOf(std::size_t group, std::uint64_t run) const {
  std::uint64_t begin = firstRun(group).begin;
  if (isPlain(group))
    return begin;
  const Group &g = many_->groups[group];
  for (std::uint32_t i = g.numLevels; i-- > 0;) {
    const ViewLevel &level = many_->levels[g.firstLevel + i];
    begin = movedBy(begin, static_cast<std::int64_t>(run % level.count) * level.stride);
    run /= level.count;
  }
  return begin;
}

std::size_t ViewRuns::groupAt(std::uint64_t position) const {
  POPSCOPE_CHECK(position < elements(), "position {} of a view with {} elements", position, elements());
  return isOne_ ? 0
                : static_cast<std::size_t>(std::upper_bound(many_->ends.begin(), many_->ends.end(), position) -
                                           many_->ends.begin());
}

std::uint64_t ViewRuns::tableBytes() const {
  return many_ ? sizeof(Table) + many_->groups.size() * (sizeof(Group) + sizeof(std::uint64_t)) +
                     many_->levels.size() * sizeof(ViewLevel)
               : 0;
}

void RunBuilder::append(const ViewRun &run) {
  if (run.count == 0)
    return;
  if (open_.count != 0 && open_.var == run.var && open_.ofWhole == run.ofWhole) {
    const std::int64_t jump = jumpTo(open_, run);
    if ((open_.count == 1 || open_.stride == jump) && (run.count == 1 || run.stride == jump)) {
      open_.stride = jump;
      open_.count += run.count;
      return;
    }
  }
  close();
  open_ = run;
  if (run.count == 1)
    open_.stride = 1;
}

void RunBuilder::append(const RunGroup &group) {
  if (group.numLevels == 0)
    return append(group.run);
  close();
  push(group.run, group.outer.data(), group.numLevels);
}

void RunBuilder::close() {
  if (open_.count != 0)
    push(open_, nullptr, 0);
  open_.count = 0;
}

/// Returns whether the runs continue the last groups at equal distances. If so, makes the runs a part of these groups.
bool RunBuilder::joinsLast(const ViewRun &run, const ViewLevel *levels, std::size_t numLevels) {
  auto &groups = table_.groups;
  if (groups.empty() || !sameShape(groups.back().run, run))
    return false;
  ViewRuns::Group &last = groups.back();
  const std::int64_t distance = static_cast<std::int64_t>(run.begin) - static_cast<std::int64_t>(last.run.begin);
  if (last.numLevels != 0) { // adds one row, or all rows of the new group
    ViewLevel &outer = table_.levels[last.firstLevel];
    const bool isRow = numLevels + 1 == last.numLevels;
    if ((!isRow && numLevels != last.numLevels) || (!isRow && levels[0].stride != outer.stride) ||
        distance != static_cast<std::int64_t>(outer.count) * outer.stride ||
        !std::equal(levels + (isRow ? 0 : 1), levels + numLevels, table_.levels.begin() + last.firstLevel + 1))
      return false;
    const std::uint64_t more = isRow ? 1 : levels[0].count;
    outer.count += more;
    table_.ends.back() +=
        (table_.ends.back() - (groups.size() == 1 ? 0 : table_.ends[groups.size() - 2])) / (outer.count - more) * more;
    return true;
  }
  // A third run at an equal distance makes a group of the three.
  if (numLevels != 0 || groups.size() < 2 || groups[groups.size() - 2].numLevels != 0 ||
      !sameShape(groups[groups.size() - 2].run, run) ||
      groups[groups.size() - 2].run.begin != movedBy(last.run.begin, -distance))
    return false;
  groups.pop_back();
  table_.ends.pop_back();
  groups.back().firstLevel = static_cast<std::uint32_t>(table_.levels.size());
  groups.back().numLevels = 1;
  table_.levels.push_back({3, distance});
  table_.ends.back() += 2 * run.count;
  return true;
}

void RunBuilder::push(const ViewRun &run, const ViewLevel *levels, std::size_t numLevels) {
  if (joinsLast(run, levels, numLevels))
    return;
  if (table_.groups.size() >= kMaxRuns)
    throwTooManyRuns();
  std::uint64_t elements = run.count;
  for (std::size_t i = 0; i != numLevels; ++i)
    elements *= levels[i].count;
  table_.ends.push_back((table_.ends.empty() ? 0 : table_.ends.back()) + elements);
  table_.groups.push_back(
      {run, static_cast<std::uint32_t>(table_.levels.size()), static_cast<std::uint32_t>(numLevels)});
  table_.levels.insert(table_.levels.end(), levels, levels + numLevels);
}

ViewRuns RunBuilder::take() {
  if (table_.groups.empty() && open_.count != 0)
    return std::exchange(open_, ViewRun());
  close();
  ViewRuns runs;
  if (table_.groups.size() == 1 && table_.groups.front().numLevels == 0)
    runs = table_.groups.front().run;
  else if (!table_.groups.empty())
    runs.many_ = std::make_shared<const ViewRuns::Table>(std::move(table_));
  table_ = {};
  return runs;
}

} // namespace popscope
