// Tries advice: compiles the program with each proposal. If the program does not fit, also searches for a set of
// changes with which it fits. AdviceTrialRecord::purpose is the purpose of a compilation:
//
//   unchanged    the program without changes
//   alone        one proposal
//   together     several WriteUndefs that save memory only together
//   search       the best proposals, added one by one. A proposal stays if it reduces the bytes past the end of memory.
//                The search then continues with new proposals for the bytes that are still past the end
//   smallest     a set that fits with the fewest changes: each smaller set of the proposed changes was compiled and
//                does not fit, or is proved not to fit (SmallestSet.hpp)
//   fit          a set that fits and needs each of its changes: without any one of them, the program does not fit
//   fits         a set that fits, but may contain unnecessary changes: the search reached the limit on compilations
//                before it had left out each change once
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

/// Returns one record per compilation, at most settings.advice.trials. Changes that cannot be applied have no record.
[[nodiscard]] std::vector<AdviceTrialRecord> tryAdvice(const TryInput &input);

} // namespace popscope
