// Applies changes (AdviceChange) to a program. Changes of the kinds MoveVariable and MoveVertices (called moves in this
// header) change the graph before lowering. Changes of the kind Option change the settings before lowering. Changes of
// the kind WriteUndef change the steps after lowering.
#pragma once
#include "engine/advice/AdviceChange.hpp"
#include "engine/settings/Settings.hpp"
#include "graph/steps/StepProgram.hpp"

namespace popscope {

/// Returns the engine options that a change may set.
[[nodiscard]] const std::vector<std::string> &adviceOptions();

/// Applies the options. Throws poplar::invalid_option for an option that is not in adviceOptions(), or for a bad value.
void applyOptions(const AdviceChanges &changes, EngineSettings &settings);
/// Applies the moves. The order in which vertices compute stays the same. Throws poplar::invalid_option if a variable
/// or compute set does not exist or is ambiguous, or if a tile or element does not exist. Also throws
/// poplar::invalid_option if the tiles `from` contain nothing to move, or if the graph has replicated parts. The
/// message contains the change and the reason.
void applyMoves(const AdviceChanges &changes, GraphIr &graph);
[[nodiscard]] bool hasMoves(const AdviceChanges &changes);
/// Applies the WriteUndefs. `graph` is the user's graph, from which `program` was lowered. Throws
/// poplar::invalid_option if
/// - the graph has replicated parts;
/// - the variable, or the place of the WriteUndef in the program, does not exist;
/// - several variables have the name, and the change has no `occurrence`;
/// - the program does not use the variable;
/// - the place is not between two programs of a Sequence;
/// - a later step reads a value that the WriteUndef would discard.
/// If there is a WriteUndef, the cost is one ExplainContext, one call of mayUndef() per WriteUndef, and one copy of the
/// program.
void applyUndefs(const AdviceChanges &changes, const GraphIr &graph, Threads threads, StepProgram &program);

/// Sets the members `before...` of `change` (a WriteUndef) to the kind, the name and the occurrence of the step. Unlike
/// the number of the step, these values stay valid when other changes add or remove steps. Returns false for a step
/// that these values cannot identify (a step of a source after the first step of the source). Also returns false for an
/// index past the last step.
[[nodiscard]] bool namePlace(const StepProgram &program, StepIndex step, AdviceChange &change);
/// Sets `name` of the change to the name of the variable. If other variables share this name, also sets `occurrence`.
void nameVariable(const GraphIr &graph, GraphVarId var, AdviceChange &change);
void nameComputeSet(const GraphIr &graph, ComputeSetId set, AdviceChange &change);

} // namespace popscope
