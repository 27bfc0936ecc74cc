// MergeStreams: a pass over the naive program. Where it is asked for (LoweringOptions::mergesHostCopies), host copies
// that follow each other are one: its syncs and its setup are there once.
//   Copy s -> a, Copy t -> b              one host copy that brings both
//   Copy s -> a, Copy b -> t              two: they go different ways
//   Copy s -> a, Copy s -> b              two: the second is the stream's next block
//   Copy s -> a, Copy t -> a              two: the second overwrites the first
#pragma once
#include "graph/lowering/LoweringContext.hpp"
#include "graph/lowering/NaiveProgram.hpp"

namespace popscope {

/// Returns the body with merged host copies in one row each, at the place of the last copy; borders of Sequences
/// between the copies come before the row. `context` contains the places of the graph's variables. Linear in the rows
/// and in the pieces of their views.
[[nodiscard]] NaiveBody mergeStreams(NaiveBody body, const LoweringContext &context);

} // namespace popscope
