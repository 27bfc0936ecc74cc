#include "report/answers/AlignSteps.hpp"

#include <algorithm>
#include <memory>

namespace popscope {
namespace {

/// A part of both lists: positions [begin, end).
struct Part {
  std::size_t beginBefore, endBefore, beginAfter, endAfter;
};

/// Returns the longest subsequence of the pairs in which also the second positions ascend. Patience sorting: `ends`
/// has, for each length, the pair with which the best subsequence of this length ends.
AlignedPairs longestAscending(const AlignedPairs &pairs) {
  constexpr std::size_t kNone = ~std::size_t(0);
  std::vector<std::size_t> ends, previous(pairs.size(), kNone);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto at = std::lower_bound(ends.begin(), ends.end(), pairs[k].second,
                                     [&](std::size_t end, std::size_t second) { return pairs[end].second < second; });
    if (at != ends.begin())
      previous[k] = *std::prev(at);
    if (at == ends.end())
      ends.push_back(k);
    else
      *at = k;
  }
  AlignedPairs out;
  for (std::size_t k = ends.empty() ? kNone : ends.back(); k != kNone; k = previous[k])
    out.push_back(pairs[k]);
  std::reverse(out.begin(), out.end());
  return out;
}

class Alignment {
public:
  Alignment(const std::vector<std::size_t> &before, const std::vector<std::size_t> &after)
      : before_(before), after_(after) {}

  AlignedPairs run() {
    Part rest{0, before_.size(), 0, after_.size()};
    const std::size_t atEnd = shrink(rest);
    for (const auto &[i, j] : anchors(rest)) {
      fill({rest.beginBefore, i, rest.beginAfter, j});
      pairs_.emplace_back(i, j);
      rest.beginBefore = i + 1;
      rest.beginAfter = j + 1;
    }
    fill(rest);
    for (std::size_t k = 0; k < atEnd; ++k)
      pairs_.emplace_back(rest.endBefore + k, rest.endAfter + k);
    return std::move(pairs_);
  }

private:
  /// Adds pairs for the keys with which both parts begin. Removes these keys from the part. Also removes the keys with
  /// which both parts end. Returns the number of keys removed at the end.
  std::size_t shrink(Part &part) {
    while (part.beginBefore < part.endBefore && part.beginAfter < part.endAfter &&
           before_[part.beginBefore] == after_[part.beginAfter])
      pairs_.emplace_back(part.beginBefore++, part.beginAfter++);
    std::size_t atEnd = 0;
    for (; part.beginBefore < part.endBefore && part.beginAfter < part.endAfter &&
           before_[part.endBefore - 1] == after_[part.endAfter - 1];
         ++atEnd) {
      --part.endBefore;
      --part.endAfter;
    }
    return atEnd;
  }
  /// Adds pairs for the keys with which both parts begin or end.
  void fill(Part part) {
    const std::size_t atEnd = shrink(part);
    for (std::size_t k = 0; k < atEnd; ++k)
      pairs_.emplace_back(part.endBefore + k, part.endAfter + k);
  }
  /// Returns pairs of the n-th occurrence of a key in both parts, as far as the order of both lists allows.
  [[nodiscard]] AlignedPairs anchors(const Part &part) const {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places; // by key and number of the occurrence
    std::map<std::size_t, std::size_t> seen;
    for (std::size_t j = part.beginAfter; j < part.endAfter; ++j)
      places.emplace(std::pair(after_[j], seen[after_[j]]++), j);
    seen.clear();
    AlignedPairs common;
    for (std::size_t i = part.beginBefore; i < part.endBefore; ++i)
      if (const auto at = places.find({before_[i], seen[before_[i]]++}); at != places.end())
        common.emplace_back(i, at->second);
    return longestAscending(common);
  }

  const std::vector<std::size_t> &before_, &after_;
  AlignedPairs pairs_;
};

} // namespace

std::size_t StepKeys::keyOf(std::size_t parent, const pva::Program &program) {
  return known_.try_emplace({parent, pva::programTypeName(program.type()) + ": " + program.name()}, known_.size() + 1)
      .first->second;
}

// Walks over the programs from the roots, so that each program's parent has a key.
std::vector<std::size_t> StepKeys::of(const pva::Report &report) {
  const pva::CompilationReport compilation = report.compilation();
  std::map<std::size_t, std::size_t> keys;                                 // by program
  std::vector<std::pair<std::shared_ptr<pva::Program>, std::size_t>> open; // programs, each with the key of its parent
  for (const auto &list : {compilation.controlPrograms(), compilation.functionPrograms()})
    for (const auto &root : list)
      open.emplace_back(root, 0);
  while (!open.empty()) {
    const auto [program, parent] = open.back();
    open.pop_back();
    const std::size_t key = keyOf(parent, *program);
    if (!keys.emplace(program->_id(), key).second)
      continue;
    for (const auto &child : program->children())
      open.emplace_back(child, key);
  }
  std::vector<std::size_t> steps;
  for (const auto &step : compilation.livenessProgramSteps()) {
    const auto program = step.program();
    const auto at = keys.find(program->_id());
    steps.push_back(at != keys.end() ? at->second : keyOf(0, *program));
  }
  return steps;
}

// Pairs the common beginning and end first, because most changes leave them as they are. In the rest, the n-th
// occurrence of a key in `before` belongs to the n-th occurrence in `after`, unless this changes the order. An inserted
// step changes the occurrence numbers of later steps with the same key, for example of all later exchanges without a
// name. So equal keys next to a pair form pairs afterwards. Invariant: both positions of the pairs ascend.
AlignedPairs alignKeys(const std::vector<std::size_t> &before, const std::vector<std::size_t> &after) {
  return Alignment(before, after).run();
}

} // namespace popscope
