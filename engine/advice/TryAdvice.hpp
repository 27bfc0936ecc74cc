// Trying advice: the program is compiled with each proposal, and where it does not fit, sets of them are looked for
// under which it does.
//
//   unchanged    the program as it is
//   alone        one proposal, together: several WriteUndefs that help only so
//   search       the best proposals added up, one by one, each kept that leaves less past the end of memory; then new
//                proposals for what is left
//   smallest     what fits, when no smaller set of all changes that were proposed does: each was compiled, or cannot
//                (SmallestSet.hpp)
//   fit          what fits, when no single change can be left out: each was, and then it did not
//   fits         what fits, when compilations ran out before each change was left out
#pragma once
#include "engine/advice/ProposeAdvice.hpp"
#include "instrument/profile/AdviceRecords.hpp"

#include <functional>
#include <optional>

namespace popscope {

struct TryInput {
  const GraphIr &graph; // with what popscope.applyAdvice changed
  const Variant &unchanged;
  const EngineSettings &settings;
  const StackModel &machineStack; // without options
  const LivenessAdvice &liveness;
  /// Compiles with these changes; nothing where they cannot be applied.
  std::function<std::optional<Variant>(const AdviceChanges &)> compile;
  std::function<void()> tick; // after each compilation
};

/// At most settings.advice.trials compilations. What cannot be applied has no row.
[[nodiscard]] std::vector<AdviceTrialRecord> tryAdvice(const TryInput &input);

} // namespace popscope
