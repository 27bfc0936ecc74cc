#include "graph/ir/WalkRuns.hpp"

#include <algorithm>
#include <array>

namespace popscope {

namespace {

/// Returns the content of the group's outermost level, moved by `by`.
RunGroup innerOf(const RunGroup &group, std::int64_t by) {
  RunGroup inner;
  inner.run = group.run;
  inner.run.begin = movedBy(group.run.begin, by);
  inner.numLevels = group.numLevels - 1;
  std::copy_n(group.outer.begin() + 1, inner.numLevels, inner.outer.begin());
  return inner;
}

/// Levels of a walk over a group, outermost first. The innermost level becomes the run.
class Levels {
public:
  /// Adds a level; returns false if there is no space for more.
  [[nodiscard]] bool push(const ViewLevel &level) {
    if (level.count == 1)
      return true;
    if (size_ != 0) {
      ViewLevel &last = levels_[size_ - 1];
      if (last.stride == level.stride * static_cast<std::int64_t>(level.count)) {
        last = {last.count * level.count, level.stride};
        return true;
      }
    }
    if (size_ == levels_.size())
      return false;
    levels_[size_++] = level;
    return true;
  }
  [[nodiscard]] RunGroup take(ViewRun run) const {
    RunGroup group;
    run.count = size_ == 0 ? 1 : levels_[size_ - 1].count;
    run.stride = size_ == 0 ? 1 : levels_[size_ - 1].stride;
    group.run = run;
    group.numLevels = size_ == 0 ? 0 : size_ - 1;
    std::copy_n(levels_.begin(), group.numLevels, group.outer.begin());
    return group;
  }

private:
  std::array<ViewLevel, RunGroup::kMaxLevels + 1> levels_;
  std::size_t size_ = 0;
};

/// Forms one group of the elements that a walk over a group visits. This is possible if the walk leaves each level only
/// at the level's end.
class GroupWalk {
public:
  explicit GroupWalk(const RunGroup &group) : run_(group.run) {
    std::uint64_t block = 1;
    add({group.run.count, group.run.stride}, block);
    for (std::size_t i = group.numLevels; i-- > 0;)
      add(group.outer[i], block);
  }
  /// Walks the group from the position `offset`; all positions of the walk lie in the group.
  [[nodiscard]] std::optional<RunGroup> walk(std::int64_t offset, const WalkDim *dims, std::size_t numDims) {
    for (std::size_t d = 0; d != numDims; ++d)
      if (dims[d].step < 0)
        offset += static_cast<std::int64_t>(dims[d].size - 1) * dims[d].step;
    auto rest = static_cast<std::uint64_t>(offset);
    for (std::size_t i = size_; i-- > 0;) {
      levels_[i].digit = rest / levels_[i].block;
      rest %= levels_[i].block;
      begin_ = movedBy(begin_, static_cast<std::int64_t>(levels_[i].digit) * levels_[i].stride);
    }
    Levels out;
    for (std::size_t d = 0; d != numDims; ++d)
      if (!dimension(dims[d], out))
        return std::nullopt;
    for (std::size_t i = 0; i != size_; ++i)
      if (levels_[i].digit >= levels_[i].count)
        return std::nullopt; // a step would carry
    run_.begin = begin_;
    return out.take(run_);
  }

private:
  struct Level {
    std::uint64_t count = 1, block = 1; // block: elements in one step
    std::int64_t stride = 0;
    std::uint64_t digit = 0; // the largest digit that the walk reaches
  };
  void add(const ViewLevel &level, std::uint64_t &block) {
    levels_[size_++] = {level.count, block, level.stride, 0};
    block *= level.count;
  }
  // Appends one dimension of a walk as levels of a group. Returns false if levels cannot describe the dimension. The
  // levels of the group are the digits of a position, like those of a number with mixed radix; a step of the walk adds
  // to one digit. If the walk leaves the digit, the walk must do so after a whole number of steps. The walk then
  // continues with a step of one in the next digit.
  [[nodiscard]] bool dimension(const WalkDim &dim, Levels &out) {
    if (dim.step == 0 || dim.size == 1)
      return out.push({dim.size, 0});
    std::array<ViewLevel, RunGroup::kMaxLevels + 1> parts; // innermost first
    std::size_t numParts = 0;
    std::uint64_t left = dim.size,
                  step = dim.step < 0 ? static_cast<std::uint64_t>(-dim.step) : static_cast<std::uint64_t>(dim.step);
    for (std::size_t i = 0; left > 1; ++i) {
      if (i == size_)
        return false;
      Level &level = levels_[i];
      if (step >= level.block * level.count)
        continue; // entirely in the enclosing levels
      if (step % level.block != 0)
        return false;
      const std::uint64_t each = step / level.block;
      std::uint64_t here = left;
      if ((left - 1) * each >= level.count - level.digit) { // continues in the next level
        if (level.count % each != 0 || left % (level.count / each) != 0)
          return false;
        here = level.count / each;
        step = level.block * level.count;
      }
      level.digit += (here - 1) * each;
      const auto stride = static_cast<std::int64_t>(each) * level.stride;
      parts[numParts++] = {here, dim.step < 0 ? -stride : stride};
      if (dim.step < 0)
        begin_ = movedBy(begin_, static_cast<std::int64_t>(here - 1) * stride);
      left /= here;
    }
    while (numParts > 0)
      if (!out.push(parts[--numParts]))
        return false;
    return true;
  }

  ViewRun run_;
  std::uint64_t begin_ = run_.begin;
  std::array<Level, RunGroup::kMaxLevels + 1> levels_; // innermost first
  std::size_t size_ = 0;
};

/// Returns whether both groups make the same steps through the same variable. Their beginnings may differ.
bool alike(const RunGroup &a, const RunGroup &b) {
  return a.run.var == b.run.var && a.run.ofWhole == b.run.ofWhole && a.run.stride == b.run.stride &&
         a.run.count == b.run.count && a.numLevels == b.numLevels &&
         std::equal(a.outer.begin(), a.outer.begin() + static_cast<std::ptrdiff_t>(a.numLevels), b.outer.begin());
}

} // namespace

void appendRange(const RunGroup &group, std::uint64_t lo, std::uint64_t hi, RunBuilder &out) {
  if (lo >= hi)
    return;
  if (group.numLevels == 0)
    return out.append(partOf(group.run, lo, 1, hi - lo));
  const ViewLevel level = group.outer[0];
  const std::uint64_t row = group.elements() / level.count;
  const auto rowAt = [&](std::uint64_t i) { return innerOf(group, static_cast<std::int64_t>(i) * level.stride); };
  const std::uint64_t first = lo / row, last = hi / row; // rows [whole, last) lie inside
  if (lo % row != 0 && first == last)
    return appendRange(rowAt(first), lo % row, hi % row, out);
  if (lo % row != 0)
    appendRange(rowAt(first), lo % row, row, out);
  const std::uint64_t whole = first + (lo % row != 0 ? 1 : 0);
  if (last == whole + 1) {
    out.append(rowAt(whole));
  } else if (last > whole) {
    RunGroup rows = group;
    rows.run.begin = movedBy(group.run.begin, static_cast<std::int64_t>(whole) * level.stride);
    rows.outer[0].count = last - whole;
    out.append(rows);
  }
  if (hi % row != 0)
    appendRange(rowAt(last), 0, hi % row, out);
}

std::optional<RunGroup> walkOfGroup(const RunGroup &group, std::int64_t offset, const WalkDim *dims,
                                    std::size_t numDims) {
  return GroupWalk(group).walk(offset, dims, numDims);
}

void PositionReader::walk(std::int64_t pos, std::int64_t step, std::uint64_t count, RunBuilder &out) {
  while (count > 0) {
    const std::uint64_t n = emit(static_cast<std::uint64_t>(pos), step, count, out);
    pos += static_cast<std::int64_t>(n) * step;
    count -= n;
  }
}

void PositionReader::walkAll(std::int64_t offset, const WalkDim *dims, std::size_t numDims, RunBuilder &out) {
  if (numDims == 1 && dims[0].step == 1)
    return walk(offset, 1, dims[0].size, out);
  if (walkGroup(offset, dims, numDims, out))
    return;
  if (numDims == 1)
    return walk(offset, dims[0].step, dims[0].size, out);
  if (numDims == 2 && dims[0].step > 0)
    return walkRows(offset, dims[0], dims[1], out);
  for (std::uint64_t i = 0; i != dims[0].size; ++i)
    walkAll(offset + static_cast<std::int64_t>(i) * dims[0].step, dims + 1, numDims - 1, out);
}

void PositionReader::walkRows(std::int64_t offset, const WalkDim &outer, const WalkDim &inner, RunBuilder &out) {
  columnAt_.assign(inner.size <= kMaxColumns ? inner.size : 0, at_);
  const auto walkRow = [&](std::int64_t row) {
    const std::uint64_t lowest = inner.step < 0 ? inner.size - 1 : 0;
    findInColumn(lowest, static_cast<std::uint64_t>(row + static_cast<std::int64_t>(lowest) * inner.step));
    if (inner.step != 1 && walkGroup(row, &inner, 1, out))
      return;
    for (std::uint64_t i = 0; i != inner.size;) {
      const auto pos = static_cast<std::uint64_t>(row + static_cast<std::int64_t>(i) * inner.step);
      findInColumn(i, pos);
      i += emit(pos, inner.step, inner.size - i, out);
    }
  };
  for (std::uint64_t i = 0; i != outer.size;) {
    const std::int64_t row = offset + static_cast<std::int64_t>(i) * outer.step;
    const WalkDim steps = {stepsInGroups(row, {outer.size - i, outer.step}, inner), outer.step};
    if (steps.size == 1 || !walkColumns(row, steps, inner, out))
      for (std::uint64_t s = 0; s != steps.size; ++s)
        walkRow(row + static_cast<std::int64_t>(s) * outer.step);
    i += steps.size;
  }
}

std::uint64_t PositionReader::stepsInGroups(std::int64_t offset, const WalkDim &outer, const WalkDim &inner) {
  std::uint64_t steps = outer.size;
  const auto fits = [&](std::uint64_t left) { return (left - 1) / static_cast<std::uint64_t>(outer.step) + 1; };
  for (std::uint64_t i = 0; i != inner.size && steps > 1; ++i) {
    const auto pos = static_cast<std::uint64_t>(offset + static_cast<std::int64_t>(i) * inner.step);
    findInColumn(i, pos);
    steps = std::min(steps, fits(runs_.startOf(at_ + 1) - pos));
    if (runs_.isPlain(at_) || column(i, static_cast<std::int64_t>(pos), {steps, outer.step}))
      continue;
    // Walks up to the point where a step crosses from one run of the group into the next.
    const std::uint64_t run = runs_.firstRun(at_).count;
    steps = std::min(steps, fits(run - (pos - runs_.startOf(at_)) % run));
  }
  return steps;
}

bool PositionReader::walkColumns(std::int64_t offset, const WalkDim &outer, const WalkDim &inner, RunBuilder &out) {
  const std::optional<RunGroup> first = column(0, offset, outer), second = column(1, offset + inner.step, outer);
  if (!first || !second)
    return false;
  const std::int64_t distance =
      static_cast<std::int64_t>(second->run.begin) - static_cast<std::int64_t>(first->run.begin);
  for (std::uint64_t i = 1; i != inner.size; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const std::optional<RunGroup> next = i == 1 ? second : column(i, offset + at * inner.step, outer);
    if (!next || !alike(*first, *next) || next->run.begin != movedBy(first->run.begin, at * distance))
      return false;
  }
  Levels levels;
  for (std::size_t i = 0; i != first->numLevels; ++i)
    if (!levels.push(first->outer[i]))
      return false;
  if (!levels.push({first->run.count, first->run.stride}) || !levels.push({inner.size, distance}))
    return false;
  out.append(levels.take(first->run));
  return true;
}

std::optional<RunGroup> PositionReader::column(std::uint64_t i, std::int64_t pos, const WalkDim &steps) {
  findInColumn(i, static_cast<std::uint64_t>(pos));
  if (runs_.isPlain(at_)) { // a shortcut: walkOfGroup gives the same result, but takes longer
    const ViewRun &run = runs_.firstRun(at_);
    const std::uint64_t local = static_cast<std::uint64_t>(pos) - runs_.startOf(at_);
    if ((run.count - 1 - local) / static_cast<std::uint64_t>(steps.step) < steps.size - 1)
      return std::nullopt;
    RunGroup part;
    part.run = partOf(run, local, steps.step, steps.size);
    if (steps.size == 1)
      part.run.stride = 1;
    return part;
  }
  return walkOfGroup(runs_.group(at_), pos - static_cast<std::int64_t>(runs_.startOf(at_)), &steps, 1);
}

bool PositionReader::walkGroup(std::int64_t offset, const WalkDim *dims, std::size_t numDims, RunBuilder &out) {
  std::int64_t low = offset, high = offset;
  for (std::size_t d = 0; d != numDims; ++d)
    (dims[d].step < 0 ? low : high) += static_cast<std::int64_t>(dims[d].size - 1) * dims[d].step;
  find(static_cast<std::uint64_t>(low));
  if (static_cast<std::uint64_t>(high) >= runs_.startOf(at_ + 1))
    return false;
  const auto group =
      walkOfGroup(runs_.group(at_), offset - static_cast<std::int64_t>(runs_.startOf(at_)), dims, numDims);
  if (group)
    out.append(*group);
  return group.has_value();
}

std::uint64_t PositionReader::emit(std::uint64_t pos, std::int64_t step, std::uint64_t count, RunBuilder &out) {
  find(pos);
  std::uint64_t local = pos - runs_.startOf(at_);
  ViewRun run = runs_.firstRun(at_);
  if (!runs_.isPlain(at_)) {
    if (step == 1) {
      const std::uint64_t n = std::min(count, runs_.startOf(at_ + 1) - pos);
      appendRange(runs_.group(at_), local, local + n, out);
      return n;
    }
    run.begin = runs_.beginOf(at_, local / run.count);
    local %= run.count;
  }
  std::uint64_t n = count;
  if (step > 0)
    n = std::min(count, (run.count - 1 - local) / static_cast<std::uint64_t>(step) + 1);
  else if (step < 0)
    n = std::min(count, local / static_cast<std::uint64_t>(-step) + 1);
  out.append(partOf(run, local, step, n));
  return n;
}

void PositionReader::findInColumn(std::uint64_t i, std::uint64_t pos) {
  if (i < columnAt_.size())
    at_ = columnAt_[i];
  find(pos);
  if (i < columnAt_.size())
    columnAt_[i] = at_;
}

void PositionReader::find(std::uint64_t pos) {
  if (contains(at_, pos))
    return;
  if (contains(at_ + 1, pos))
    ++at_;
  else
    at_ = runs_.groupAt(pos);
}

} // namespace popscope
