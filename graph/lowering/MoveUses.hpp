// MoveUses: computes, for MergeCopies, the IPUs, bytes and home ranges that moves and the steps of a compute set touch.
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

namespace popscope {

[[nodiscard]] MovesSummary summaryOf(const LoweringContext &context, const Moves &remote, const Moves &local);
/// Returns the bytes of homes that the moves read and write.
[[nodiscard]] HomeUses usesOf(const Moves &remote, const Moves &local);
/// If lowering has removed the moves to a set's operands (`parts.receive` and `parts.gather` are empty), rebuilds these
/// moves from the steps in `parts.before`.
void movesBefore(const LoweringContext &context, ExecuteParts &parts);
/// Returns the bytes of homes that the compute set and the moves of its operands read and write. Builds the steps of
/// the set first, if necessary.
[[nodiscard]] const HomeUseSets &usesOf(LoweringContext &context, ExecuteParts &parts);

} // namespace popscope
