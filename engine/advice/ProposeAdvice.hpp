// Proposes changes by rules. A proposal becomes advice only after a trial (TryAdvice.hpp).
#pragma once
#include "engine/advice/Variant.hpp"
#include "engine/settings/Settings.hpp"
#include "liveness/data/Advice.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Changes that belong together: a variable with the vertices that write it, or several WriteUndefs.
struct Proposal {
  std::string purpose; // becomes AdviceTrialRecord::purpose
  AdviceChanges changes;
};

/// Returns WriteUndefs that save something alone, the best first, and then those that help only together.
[[nodiscard]] std::vector<Proposal> proposeUndefs(const GraphIr &graph, const StepProgram &program,
                                                  const LivenessAdvice &advice);
/// Returns options that make copies, or stacks above the machine's size, smaller.
[[nodiscard]] std::vector<Proposal> proposeOptions(const EngineSettings &settings, const ReleaseRules &rules,
                                                   const StackModel &machineStack);
/// Returns moves off the tiles that do not fit, or off the fullest ones if all fit: of the variables that take most
/// memory there at the worst step (alone, with the vertices that write them, and with all that access them), and of the
/// vertices whose messages or state take most. The targets are as many of the emptiest tiles of the same IPUs, or all
/// tiles of these IPUs. `graph` is the lowered graph.
[[nodiscard]] std::vector<Proposal> proposeMoves(const GraphIr &graph, const Variant &variant);
/// Returns new mappings for the variables that the exchanges with the most code send. They map each variable to the
/// tiles that read it.
[[nodiscard]] std::vector<Proposal> proposeNearReaders(const GraphIr &graph, const Variant &variant);

} // namespace popscope
