// Proposes changes by rules. A proposal becomes advice only after a trial compilation (TryAdvice.hpp).
#pragma once
#include "engine/advice/Variant.hpp"
#include "engine/settings/Settings.hpp"
#include "liveness/data/Advice.hpp"

#include <string>
#include <vector>

namespace popscope {

/// A set of changes that one trial compilation applies together. Examples are several WriteUndefs, or the move of a
/// variable together with the moves of the vertices that write the variable.
struct Proposal {
  std::string purpose; // value for AdviceTrialRecord::purpose
  AdviceChanges changes;
};

/// Returns at most four proposals with one WriteUndef each, in the order of LivenessAdvice::placements. Each of these
/// WriteUndefs saves bytes without any other change. If only several placements together reach the lowest peak
/// (UndefPlacement::together), a last proposal contains all of these placements. Leaves out WriteUndefs of variables
/// that lowering created, and WriteUndefs before steps that namePlace() cannot name. A graph with replicated parts has
/// no proposals of this kind.
[[nodiscard]] std::vector<Proposal> proposeUndefs(const GraphIr &graph, const StepProgram &program,
                                                  const LivenessAdvice &advice);
/// Returns proposals with one option change each. These changes remove or merge copies, or reduce the stack size of
/// workers to the value of the machine.
[[nodiscard]] std::vector<Proposal> proposeOptions(const EngineSettings &settings, const ReleaseRules &rules,
                                                   const StackModel &machineStack);
/// Returns moves of variables and vertices away from the full tiles. A tile that does not fit is full. If all tiles
/// fit, a tile is full if its highest used address is closer to the maximum over all tiles than to the mean. The moves
/// concern at most five variables: the variables with the most memory on the full tiles at the worst step of the
/// fullest tile. Constants do not move. Other proposals move the vertices of one compute set. There are such proposals
/// for at most two compute sets: the compute sets whose vertices have the most state on the full tiles. For the compute
/// set that runs at the worst step, messages and other variables that lowering created count as state. For each
/// variable, there are up to three kinds of proposals. In the first kind, the variable moves alone. In the other two
/// kinds, the vertices of some compute sets also move away from the full tiles. The second kind takes the compute sets
/// whose vertices write the variable on the full tiles. The third kind takes all compute sets whose vertices access the
/// variable on the full tiles. Each proposal has two versions. Both versions use only IPUs with full tiles. The first
/// version moves the objects to the emptiest tiles of these IPUs, but to no full tile, and to at most as many tiles as
/// there are full tiles. The second version distributes the objects over all tiles of these IPUs. Returns no moves if
/// all tiles of these IPUs are full, or if the graph has replicated parts. `graph` is the graph from which `variant`
/// was lowered.
[[nodiscard]] std::vector<Proposal> proposeMoves(const GraphIr &graph, const Variant &variant);
/// Returns at most three new mappings of variables. Each mapping belongs to one of the three exchanges with the most
/// code, and to the variable of which this exchange sends the most bytes. The mapping places each sent element on the
/// first tile that receives the element. Leaves out constants, and mappings with more than 4096 ranges. A graph with
/// replicated parts has no proposals of this kind.
[[nodiscard]] std::vector<Proposal> proposeNearReaders(const GraphIr &graph, const Variant &variant);

} // namespace popscope
