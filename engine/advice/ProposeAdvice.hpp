// Proposes changes by rules. A proposal becomes advice only after a trial compilation (TryAdvice.hpp).
#pragma once
#include "engine/advice/Variant.hpp"
#include "engine/settings/Settings.hpp"
#include "liveness/data/Advice.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Changes that are applied together, such as the moves of a variable and of the vertices that write it, or several
/// WriteUndefs.
struct Proposal {
  std::string purpose; // value for AdviceTrialRecord::purpose
  AdviceChanges changes;
};

/// Returns at most four proposals with one WriteUndef each, in the order of the memory that the WriteUndefs save. If
/// LivenessAdvice::together has several WriteUndefs, a last proposal contains all of these WriteUndefs.
[[nodiscard]] std::vector<Proposal> proposeUndefs(const GraphIr &graph, const StepProgram &program,
                                                  const LivenessAdvice &advice);
/// Returns option changes that remove or merge copies, or that reduce the stack size of workers to the machine's size.
[[nodiscard]] std::vector<Proposal> proposeOptions(const EngineSettings &settings, const ReleaseRules &rules,
                                                   const StackModel &machineStack);
/// Returns moves of objects away from the tiles that do not fit or, if all tiles fit, away from the fullest tiles. The
/// moved objects are the variables with the most memory on these tiles at the worst step, and the vertices with the
/// largest messages or state. A variable is moved alone, with the vertices that write it, or with all vertices that
/// access it. Each move has two versions. The first moves the object to the emptiest tiles of the same IPUs (at most as
/// many tiles as are full), the second to all tiles of these IPUs. `graph` is the lowered graph.
[[nodiscard]] std::vector<Proposal> proposeMoves(const GraphIr &graph, const Variant &variant);
/// Returns new mappings for the variables whose data the exchanges with the most code send. A new mapping places a
/// variable on the tiles that read it.
[[nodiscard]] std::vector<Proposal> proposeNearReaders(const GraphIr &graph, const Variant &variant);

} // namespace popscope
