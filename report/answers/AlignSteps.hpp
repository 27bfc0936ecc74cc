// Finds the liveness steps that two profiles have in common.
//
//   before   copy  in        fast  copy  slow
//   after    copy  in  undef fast  copy  slow
//   pairs    0-0   1-1       2-3   3-4   4-5
#pragma once
#include <pva/pva.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

/// The keys of the liveness steps of several profiles. Steps have equal keys if the types and names of all programs
/// from the root to the step are equal. The viewer uses the same rule to compare liveness
/// (report/viewer/src/derived/align.ts).
class StepKeys {
public:
  /// Returns the keys in the order of livenessProgramSteps().
  [[nodiscard]] std::vector<std::size_t> of(const pva::Report &report);

private:
  [[nodiscard]] std::size_t keyOf(std::size_t parent, const pva::Program &program);
  std::map<std::pair<std::size_t, std::string>, std::size_t> known_; // the keys, by the key of the parent, and the type
                                                                     // and name of the program
};

/// Pairs of positions in two lists. From pair to pair, the positions in both lists ascend.
using AlignedPairs = std::vector<std::pair<std::size_t, std::size_t>>;
/// Returns pairs of equal keys: a common subsequence of both lists, which may be shorter than the longest common
/// subsequence. Cost: O(n log n) for n keys.
[[nodiscard]] AlignedPairs alignKeys(const std::vector<std::size_t> &before, const std::vector<std::size_t> &after);

} // namespace popscope
