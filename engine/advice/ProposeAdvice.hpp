// What might help: candidates by rule, none of which is advice before it was tried (TryAdvice.hpp).
#pragma once
#include "engine/advice/Variant.hpp"
#include "engine/settings/Settings.hpp"
#include "liveness/data/Advice.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Changes that belong together: a variable and the vertices that write it, several WriteUndefs.
struct Proposal {
  std::string purpose; // AdviceTrialRecord::purpose
  AdviceChanges changes;
};

/// WriteUndefs that save something alone, the best first, and those that only help together.
[[nodiscard]] std::vector<Proposal> proposeUndefs(const GraphIr &graph, const StepProgram &program,
                                                  const LivenessAdvice &advice);
/// Options that make less of copies, or of stacks that were made larger than the machine's.
[[nodiscard]] std::vector<Proposal> proposeOptions(const EngineSettings &settings, const ReleaseRules &rules,
                                                   const StackModel &machineStack);
/// Off the tiles that do not fit, or else the fullest ones: the variables that take most there at the worst step,
/// alone, with the vertices that write them, and with all that touch them; and the vertices whose messages or state do;
/// onto as many of the emptiest tiles of the same IPUs, or all of these. `graph` is what was lowered.
[[nodiscard]] std::vector<Proposal> proposeMoves(const GraphIr &graph, const Variant &variant);
/// Variables that the exchanges with most code send, mapped to where they are read.
[[nodiscard]] std::vector<Proposal> proposeNearReaders(const GraphIr &graph, const Variant &variant);

} // namespace popscope
