#include "graph/ir/ViewOps.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {

namespace {

void addPiece(std::vector<ViewPiece> &pieces, GraphVarId var, std::uint64_t begin, std::uint64_t count,
              std::uint64_t position) {
  if (!pieces.empty()) {
    ViewPiece &last = pieces.back();
    if (last.var == var && last.begin + last.count == begin) {
      last.count += count;
      return;
    }
  }
  pieces.push_back({var, begin, count, position});
}

std::uint64_t elementAt(const ViewRun &run, std::uint64_t i) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(run.begin) + static_cast<std::int64_t>(i) * run.stride);
}

bool lessInterval(const VarInterval &a, const VarInterval &b) {
  return std::tie(a.var, a.begin, a.end) < std::tie(b.var, b.begin, b.end);
}

} // namespace

std::vector<ViewPiece> contiguousPieces(const RunList &v) {
  std::vector<ViewPiece> pieces;
  std::uint64_t position = 0;
  for (const ViewRun &run : v) {
    if (run.stride == 1) {
      addPiece(pieces, run.var, run.begin, run.count, position);
    } else {
      for (std::uint64_t i = 0; i < run.count; ++i)
        addPiece(pieces, run.var, elementAt(run, i), 1, position + i);
    }
    position += run.count;
  }
  return pieces;
}

std::vector<VarInterval> sortedIntervals(const RunList &v) {
  std::vector<VarInterval> intervals;
  for (const ViewRun &run : v) {
    if (run.stride == 1 || run.count == 1) {
      intervals.push_back({run.var, run.begin, run.begin + run.count});
    } else if (run.stride == -1) {
      intervals.push_back({run.var, elementAt(run, run.count - 1), run.begin + 1});
    } else {
      for (std::uint64_t i = 0; i < run.count; ++i)
        intervals.push_back({run.var, elementAt(run, i), elementAt(run, i) + 1});
    }
  }
  std::sort(intervals.begin(), intervals.end(), lessInterval);
  return intervals;
}

std::vector<VarInterval> mergeIntervals(const std::vector<VarInterval> &sorted) {
  std::vector<VarInterval> merged;
  for (const VarInterval &i : sorted) {
    if (!merged.empty() && merged.back().var == i.var && i.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, i.end);
    else
      merged.push_back(i);
  }
  return merged;
}

bool containsAliases(const RunList &v) {
  if (std::any_of(v.begin(), v.end(), [](const ViewRun &r) { return r.stride == 0 && r.count > 1; }))
    return true;
  if (v.size() <= 1) // one run of a stride other than 0 visits each element once
    return false;
  const std::vector<VarInterval> sorted = sortedIntervals(v);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i - 1].var == sorted[i].var && sorted[i].begin < sorted[i - 1].end)
      return true;
  return false;
}

bool intersects(const View &a, const View &b) {
  const std::vector<VarInterval> left = mergeIntervals(sortedIntervals(a));
  const std::vector<VarInterval> right = mergeIntervals(sortedIntervals(b));
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
  // The same elements may be cut into runs differently: compare piece by piece over the common cuts.
  std::size_t i = 0, j = 0;
  std::uint64_t doneA = 0, doneB = 0;
  while (i < a.runs.size() && j < b.runs.size()) {
    const ViewRun &x = a.runs[i];
    const ViewRun &y = b.runs[j];
    const std::uint64_t n = std::min(x.count - doneA, y.count - doneB);
    if (x.var != y.var || elementAt(x, doneA) != elementAt(y, doneB) || (n > 1 && x.stride != y.stride))
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
  return i == a.runs.size() && j == b.runs.size();
}

} // namespace popscope
