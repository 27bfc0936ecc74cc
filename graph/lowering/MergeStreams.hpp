// MergeStreams: a pass over the naive program that merges consecutive host copies into one host copy, so that the syncs
// and the setup occur once. Runs if LoweringOptions::mergesHostCopies is set.
//
//   Copy s -> a, Copy t -> b              one host copy that moves both
//   Copy s -> a, Copy b -> t              two: the copies have different directions
//   Copy s -> a, Copy s -> b              two: the second is the stream's next block
//   Copy s -> a, Copy t -> a              two: the second overwrites the first
//
// Copies of remote buffers, copies for host functions and copies with an offset do not merge. At most kMaxMembers
// copies merge into one copy, which moves at most LoweringOptions::maxCopyMergeBytes bytes. Invariant: the host sees
// the same transfers in the same order, and the tiles see the same values.
#pragma once
#include "graph/lowering/LoweringContext.hpp"
#include "graph/lowering/NaiveProgram.hpp"

namespace popscope {

/// Returns the body in which each set of merged host copies is one row, at the place of the last copy of the set.
/// Borders of Sequences between the copies come before the row. `context` contains the places of the graph's variables.
/// Cost: linear in the rows and in the pieces of the copied views, plus one comparison for each pair of copies in a
/// set.
[[nodiscard]] NaiveBody mergeStreams(NaiveBody body, const LoweringContext &context);

} // namespace popscope
