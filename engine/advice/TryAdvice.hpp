// Tries advice: compiles the program with each proposal. If the program does not fit, also searches for a set of
// changes that makes the program fit. AdviceTrialRecord::purpose is the purpose of a compilation:
//
//   unchanged    the program without changes
//   alone        one proposal
//   together     several WriteUndefs that reach the lowest peak only together
//   search       a set of changes that the search for a fit tries. The search adds the best proposals one by one, and
//                keeps each proposal that reduces the bytes past the end of memory. The search then continues with new
//                proposals for the bytes that are still past the end. Two other groups of sets have this purpose: sets
//                that fit, without one of their changes, and smaller sets of the proposed changes
//   smallest     a set that fits with the fewest changes. For each smaller set of the proposed changes, one of these
//                statements holds: the compiled program does not fit, the set cannot be applied, or the set is proved
//                not to fit (SmallestSet.hpp)
//   fit          a set that fits. The search left out each change once, and kept each change without which the
//                program did not fit
//   fits         a set that fits, but may contain unnecessary changes: the search reached the limit on compilations
//                before the search had left out each change once
#pragma once
#include "engine/advice/ProposeAdvice.hpp"
#include "instrument/profile/AdviceRecords.hpp"

#include <functional>
#include <optional>

namespace popscope {

struct TryInput {
  const GraphIr &graph; // the graph, with the changes of popscope.applyAdvice
  const Variant &unchanged;
  const EngineSettings &settings;
  const StackModel &machineStack; // the machine's stack sizes, without the changes by options
  const LivenessAdvice &liveness;
  /// Compiles the program with these changes. Returns no value if the changes cannot be applied.
  std::function<std::optional<Variant>(const AdviceChanges &)> compile;
  std::function<void()> tick; // called after each compilation
};

/// Compiles the program at most settings.advice.trials times. Returns a record of the unchanged program, then one
/// record per measured compilation. If the unchanged program does not fit, the search for a fit follows the trials of
/// single proposals. If this search finds a set of changes that fits, a last record repeats the measurement of this set
/// with the purpose smallest, fit or fits. There is no record of changes that cannot be applied. There is also no
/// record of a set that the search compiles again only to find new proposals.
[[nodiscard]] std::vector<AdviceTrialRecord> tryAdvice(const TryInput &input);

} // namespace popscope
