// Tries advice: compiles the program with each proposal. If the program does not fit, searches for a set of changes
// with which it fits.
//
//   unchanged    the program as it is
//   alone        one proposal
//   together     several WriteUndefs that help only together
//   search       the best proposals added up, one by one; each stays if it reduces the bytes past the end of memory.
//                Then new proposals for the rest
//   smallest     a set that fits, if no smaller set of all proposed changes does: each was compiled, or cannot fit
//                (SmallestSet.hpp)
//   fit          a set that fits, if no single change can be left out: each was left out once, and it did not fit
//   fits         a set that fits, if compilations ran out before each change was left out
#pragma once
#include "engine/advice/ProposeAdvice.hpp"
#include "instrument/profile/AdviceRecords.hpp"

#include <functional>
#include <optional>

namespace popscope {

struct TryInput {
  const GraphIr &graph; // the graph with the changes of popscope.applyAdvice
  const Variant &unchanged;
  const EngineSettings &settings;
  const StackModel &machineStack; // without options
  const LivenessAdvice &liveness;
  /// Compiles with these changes; returns nothing if they cannot be applied.
  std::function<std::optional<Variant>(const AdviceChanges &)> compile;
  std::function<void()> tick; // called after each compilation
};

/// Returns one row per compilation, at most settings.advice.trials. Changes that cannot be applied have no row.
[[nodiscard]] std::vector<AdviceTrialRecord> tryAdvice(const TryInput &input);

} // namespace popscope
