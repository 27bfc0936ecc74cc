// TouchSteps: derives the accesses of those exchanges and compute sets whose table rows determine all touches. The pass
// runs after the tree is complete, and joins the touches of many steps in parallel, because joining touches is
// expensive. No earlier pass needs the accesses.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

namespace popscope {

/// Returns the touches of a payload, in any order. The payload is an exchange whose messages every replica receives, or
/// an OnTileExecute without copy vertices.
std::vector<Touch> touchesOf(const LoweringContext &context, StepKind kind, std::uint32_t payload);

/// Sets the accesses of all steps with firstAccess = kTouchedLater. Steps that share a payload also share the accesses.
/// Runs in parallel over payloads.
void touchSteps(LoweringContext &context);

} // namespace popscope
