// Applying changes: moves to the graph and options to the settings before lowering, WriteUndefs to the steps after it.
#pragma once
#include "engine/advice/AdviceChange.hpp"
#include "engine/settings/Settings.hpp"
#include "graph/steps/StepProgram.hpp"

namespace popscope {

/// Engine options that a change may set.
[[nodiscard]] const std::vector<std::string> &adviceOptions();

/// Throws poplar::invalid_option for one that is not of adviceOptions(), or a bad value.
void applyOptions(const AdviceChanges &changes, EngineSettings &settings);
/// Vertices keep the order in which they compute. Throws poplar::invalid_option, which names what there is not, or not
/// only once: a variable, a compute set, a tile.
void applyMoves(const AdviceChanges &changes, GraphIr &graph);
/// The programs, and the functions of `graph`, as those of any graph: `graph` is a copy of the one that they were made
/// with.
[[nodiscard]] std::vector<ProgramPtr> takeOver(const std::vector<ProgramPtr> &programs, GraphIr &graph);
[[nodiscard]] bool hasMoves(const AdviceChanges &changes);
/// `graph` is what was lowered. Throws poplar::invalid_option also for a WriteUndef that would lose a value which is
/// read later. Cost: one analysis of the program, if there is a WriteUndef.
void applyUndefs(const AdviceChanges &changes, const GraphIr &graph, Threads threads, StepProgram &program);

/// The step's place in the words of a WriteUndef; false where it has none that stays the same when other things move.
[[nodiscard]] bool namePlace(const StepProgram &program, StepIndex step, AdviceChange &change);
/// The variable's name, and its occurrence where the name is not its own.
void nameVariable(const GraphIr &graph, GraphVarId var, AdviceChange &change);
void nameComputeSet(const GraphIr &graph, ComputeSetId set, AdviceChange &change);

} // namespace popscope
