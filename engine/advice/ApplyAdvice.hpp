// Applies changes. Before lowering, moves change the graph and options change the settings; after lowering, WriteUndefs
// change the steps.
#pragma once
#include "engine/advice/AdviceChange.hpp"
#include "engine/settings/Settings.hpp"
#include "graph/steps/StepProgram.hpp"

namespace popscope {

/// Returns the engine options that a change may set.
[[nodiscard]] const std::vector<std::string> &adviceOptions();

/// Applies the options. Throws poplar::invalid_option for an option that is not in adviceOptions(), or for a bad value.
void applyOptions(const AdviceChanges &changes, EngineSettings &settings);
/// Applies the moves. Vertices keep the order in which they compute. Throws poplar::invalid_option, which names a
/// variable, compute set or tile that does not exist or is ambiguous.
void applyMoves(const AdviceChanges &changes, GraphIr &graph);
/// Copies the programs, and the functions of `graph`, so that they refer to `graph`. `graph` is a copy of the graph
/// that they were made with.
[[nodiscard]] std::vector<ProgramPtr> takeOver(const std::vector<ProgramPtr> &programs, GraphIr &graph);
[[nodiscard]] bool hasMoves(const AdviceChanges &changes);
/// Applies the WriteUndefs. `graph` is the lowered graph. Throws poplar::invalid_option, also for a WriteUndef that
/// would lose a value which is read later. Cost: one analysis of the program if there is a WriteUndef.
void applyUndefs(const AdviceChanges &changes, const GraphIr &graph, Threads threads, StepProgram &program);

/// Sets the "before" of a WriteUndef to the step. Returns false if no name of the step stays valid when other things
/// move.
[[nodiscard]] bool namePlace(const StepProgram &program, StepIndex step, AdviceChange &change);
/// Sets the variable's name, and its occurrence if other variables share the name.
void nameVariable(const GraphIr &graph, GraphVarId var, AdviceChange &change);
void nameComputeSet(const GraphIr &graph, ComputeSetId set, AdviceChange &change);

} // namespace popscope
