#include "graph/ir/ViewOps.hpp"

#include "base/CheckedSize.hpp"
#include "graph/ir/MemoryOrder.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <utility>

namespace popscope {

namespace {

/// From this number of elements on, a view's pieces are counted first, so that a long list never reallocates.
constexpr std::uint64_t kCountFirst = std::uint64_t(1) << 20;

/// Returns whether a level of the group repeats its content at one place.
bool repeatsElement(const RunGroup &group) {
  const auto isRepeat = [](const ViewLevel &level) { return level.stride == 0 && level.count > 1; };
  return isRepeat({group.run.count, group.run.stride}) ||
         std::any_of(group.outer.begin(), group.outer.begin() + static_cast<std::ptrdiff_t>(group.numLevels), isRepeat);
}

/// The elements of a group as intervals of equal length, in any order.
struct GroupBlocks {
  GraphVarId var;
  std::uint64_t begin = 0, length = 1;
  std::vector<ViewLevel> levels; // levels whose elements are blocks, the largest stride first
  void append(std::vector<VarInterval> &out) const { append(out, begin, 0); }

private:
  void append(std::vector<VarInterval> &out, std::uint64_t at, std::size_t level) const {
    if (level == levels.size()) {
      out.push_back({var, at, at + length});
      return;
    }
    for (std::uint64_t i = 0; i != levels[level].count; ++i)
      append(out, at + i * static_cast<std::uint64_t>(levels[level].stride), level + 1);
  }
};

/// Returns the blocks, or nothing if an element may occur twice. The step of a level must exceed the reach of all
/// smaller steps.
std::optional<GroupBlocks> blocksOf(const RunGroup &group) {
  GroupBlocks blocks;
  blocks.var = group.run.var;
  std::int64_t begin = static_cast<std::int64_t>(group.run.begin);
  const auto add = [&](ViewLevel level) {
    if (level.count == 1)
      return;
    if (level.stride < 0)
      begin += static_cast<std::int64_t>(level.count - 1) * level.stride;
    level.stride = std::abs(level.stride);
    blocks.levels.push_back(level);
  };
  for (std::size_t i = 0; i != group.numLevels; ++i)
    add(group.outer[i]);
  add({group.run.count, group.run.stride});
  blocks.begin = static_cast<std::uint64_t>(begin);
  std::sort(blocks.levels.begin(), blocks.levels.end(),
            [](const ViewLevel &a, const ViewLevel &b) { return a.stride > b.stride; });
  std::uint64_t reach = 0; // the reach of all smaller steps
  for (auto level = blocks.levels.rbegin(); level != blocks.levels.rend(); ++level) {
    if (static_cast<std::uint64_t>(level->stride) <= reach)
      return std::nullopt;
    reach += (level->count - 1) * static_cast<std::uint64_t>(level->stride);
  }
  while (!blocks.levels.empty() && static_cast<std::uint64_t>(blocks.levels.back().stride) == blocks.length) {
    blocks.length *= blocks.levels.back().count;
    blocks.levels.pop_back();
  }
  return blocks;
}

bool lessInterval(const VarInterval &a, const VarInterval &b) {
  return std::tie(a.var, a.begin, a.end) < std::tie(b.var, b.begin, b.end);
}

} // namespace

void checkListable(const RunList &v) {
  if (v.size() > kMaxRuns)
    throwTooManyRuns();
}

std::vector<ViewPiece> contiguousPieces(const RunList &v) {
  checkListable(v);
  std::vector<ViewPiece> pieces;
  if (v.elements() >= kCountFirst) {
    std::size_t count = 0;
    for (PieceReader reader(v); reader.next();)
      ++count;
    pieces.reserve(count);
  }
  PieceReader reader(v);
  while (const auto piece = reader.next())
    pieces.push_back(*piece);
  return pieces;
}

PieceReader::PieceReader(const ViewRuns &runs, std::uint64_t begin, std::uint64_t end)
    : run_(runs.begin()), end_(runs.end()), position_(begin), stop_(end) {
  if (begin == end)
    return;
  const std::size_t group = runs.groupAt(begin);
  const std::uint64_t inGroup = begin - runs.startOf(group), inRun = runs.firstRun(group).count;
  run_ = runs.at(group, inGroup / inRun);
  element_ = inGroup % inRun;
}

std::optional<ViewPiece> PieceReader::nextPart() {
  if (position_ == stop_)
    return std::nullopt;
  while (run_ != end_ && element_ == run_->count) {
    ++run_;
    element_ = 0;
  }
  if (run_ == end_)
    return std::nullopt;
  const std::uint64_t count = run_->stride == 1 ? std::min(run_->count - element_, stop_ - position_) : 1;
  const ViewPiece part{run_->var, run_->at(element_), count, position_};
  element_ += count;
  position_ += count;
  return part;
}

std::optional<ViewPiece> PieceReader::next() {
  std::optional<ViewPiece> piece = open_ ? std::exchange(open_, std::nullopt) : nextPart();
  while (piece && (open_ = nextPart()) && open_->var == piece->var && open_->begin == piece->begin + piece->count)
    piece->count += open_->count;
  return piece;
}

std::optional<SameWalk> sameWalk(const ViewRuns &one, const ViewRuns &other) {
  if (one.empty() || other.empty())
    return std::nullopt;
  const auto offsetOf = [](const ViewRun &a, const ViewRun &b) {
    return static_cast<std::int64_t>(b.begin) - static_cast<std::int64_t>(a.begin);
  };
  const GraphVarId var = one.front().var;
  const SameWalk found{other.front().var, offsetOf(one.front(), other.front())};
  auto a = one.begin(), b = other.begin();
  ViewRun runA = *a, runB = *b;
  const auto advance = [](ViewRun &run, std::uint64_t count, ViewRuns::iterator &at, const ViewRuns &runs) {
    run.begin += static_cast<std::uint64_t>(run.stride) * count;
    if ((run.count -= count) == 0 && ++at != runs.end())
      run = *at;
  };
  while (a != one.end() && b != other.end()) {
    const std::uint64_t count = std::min(runA.count, runB.count);
    if (runA.var != var || runB.var != found.var || runA.ofWhole || runB.ofWhole ||
        offsetOf(runA, runB) != found.offset || (count > 1 && runA.stride != runB.stride))
      return std::nullopt;
    advance(runA, count, a, one);
    advance(runB, count, b, other);
  }
  return found;
}

std::vector<VarInterval> sortedIntervals(const RunList &v) {
  std::vector<VarInterval> intervals;
  const auto add = [&](const ViewRun &run) {
    if (run.stride == 1 || run.count == 1) {
      intervals.push_back({run.var, run.begin, run.begin + run.count});
    } else if (run.stride == -1) {
      intervals.push_back({run.var, run.at(run.count - 1), run.begin + 1});
    } else {
      for (std::uint64_t i = 0; i < run.count; ++i)
        intervals.push_back({run.var, run.at(i), run.at(i) + 1});
    }
  };
  const std::size_t groups = v.groups() != nullptr ? v.groups()->numGroups() : 0;
  for (std::size_t g = 0; g != groups; ++g) {
    if (v.groups()->isPlain(g)) {
      add(v.groups()->firstRun(g));
    } else if (const auto blocks = blocksOf(v.groups()->group(g))) {
      blocks->append(intervals);
    } else { // some elements occur twice
      checkListable(v);
      ViewRun run = v.groups()->firstRun(g);
      for (std::uint64_t i = 0; i != v.groups()->runsOf(g); ++i) {
        run.begin = v.groups()->beginOf(g, i);
        add(run);
      }
    }
  }
  if (v.groups() == nullptr)
    std::for_each(v.begin(), v.end(), add);
  std::sort(intervals.begin(), intervals.end(), lessInterval);
  return intervals;
}

std::vector<VarInterval> joinedIntervals(const RunList &v) {
  if (const auto touched = TouchedElements::of(v))
    return touched->intervals();
  std::vector<VarInterval> merged;
  for (const VarInterval &i : sortedIntervals(v)) {
    if (!merged.empty() && merged.back().var == i.var && i.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, i.end);
    else
      merged.push_back(i);
  }
  return merged;
}

bool containsAliases(const RunList &v) {
  if (const ViewRuns *groups = v.groups()) {
    for (std::size_t g = 0; g != groups->numGroups(); ++g)
      if (groups->isPlain(g) ? groups->firstRun(g).stride == 0 && groups->firstRun(g).count > 1
                             : repeatsElement(groups->group(g)))
        return true;
    // One run of a stride other than 0 visits each element once.
    if (groups->numGroups() == 0 || (groups->numGroups() == 1 && (groups->isPlain(0) || blocksOf(groups->group(0)))))
      return false;
  } else {
    if (std::any_of(v.begin(), v.end(), [](const ViewRun &r) { return r.stride == 0 && r.count > 1; }))
      return true;
    if (v.size() <= 1)
      return false;
  }
  if (const auto touched = TouchedElements::of(v))
    return touched->anyTwice();
  const std::vector<VarInterval> sorted = sortedIntervals(v);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i - 1].var == sorted[i].var && sorted[i].begin < sorted[i - 1].end)
      return true;
  return false;
}

bool intersects(const View &a, const View &b) {
  const std::vector<VarInterval> left = joinedIntervals(a);
  const std::vector<VarInterval> right = joinedIntervals(b);
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    const VarInterval &x = left[i];
    const VarInterval &y = right[j];
    if (x.var == y.var && x.begin < y.end && y.begin < x.end)
      return true;
    if (std::tie(x.var, x.end) <= std::tie(y.var, y.end))
      ++i;
    else
      ++j;
  }
  return false;
}

bool sameElements(const View &a, const View &b) {
  if (a.elements() != b.elements())
    return false;
  // The two views may cut the same elements into different runs, so the loop compares the pieces between the cuts of
  // both views.
  auto i = a.runs.begin(), j = b.runs.begin();
  std::uint64_t doneA = 0, doneB = 0;
  while (i != a.runs.end() && j != b.runs.end()) {
    const ViewRun x = *i, y = *j;
    const std::uint64_t n = std::min(x.count - doneA, y.count - doneB);
    if (x.var != y.var || x.at(doneA) != y.at(doneB) || (n > 1 && x.stride != y.stride))
      return false;
    doneA += n;
    doneB += n;
    if (doneA == x.count) {
      ++i;
      doneA = 0;
    }
    if (doneB == y.count) {
      ++j;
      doneB = 0;
    }
  }
  return i == a.runs.end() && j == b.runs.end();
}

} // namespace popscope
