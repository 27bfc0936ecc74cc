// ElideCopies: removes copies that only give elements another name. Readers of the destination read the source instead.
// Runs before lowering.
//   in: one float per tile, p: cloned from in
//   Copy in -> p, Execute reads p      Execute reads in; p takes no memory
// The pass may remove a copy in this direction if
//   - only the copy writes the destination, and the copy writes the whole destination (the pass also removes a
//     WriteUndef of the destination);
//   - the body that contains the copy also contains every reader, after the copy. (A body belongs to a program, a
//     function, a loop or a branch.) A reader may be nested deeper in the body. So each reader sees this copy's values;
//   - no program writes or undefines the source between the copy and the last of these readers;
//   - each tile's part of the destination comes from one run of one variable on that tile, and the run begins at a
//     multiple of 8 bytes, so that no reader has to gather.
// The pass removes remaining copies of results in the opposite direction: writers of the source write the destination
// instead.
//   Execute writes r, Copy r -> out    Execute writes out; r takes no memory
// The pass may remove a copy in this direction if
//   - the copy reads all of the source, and the other readers and writers of the source precede the copy in the same
//     body;
//   - only the copy writes the destination's variables; or the first program of the body that reads or writes the
//     source overwrites or undefines the whole source and does not read it, so that the source keeps no older value;
//   - from this first program to the copy, no program reads or writes the destination: at all other times, source and
//     destination have the same values, or nothing reads the source;
//   - each tile's part of the source goes to one run of one variable on that tile, and the run begins at a multiple of
//     8 bytes.
// In both directions, the removed variable has no initial values, and no host read or host write uses the removed
// variable. Neither side of the copy contains a constant. No vertex touches both source and destination, because
// codelets may require two fields in different memory elements. In the first direction, a copy stays if no program
// reads the destination. In the opposite direction, a copy stays if no program reads or writes the source before the
// copy, or if the destination has initial values.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <memory>
#include <vector>

namespace popscope {

struct ElidedGraph {
  GraphIr graph;
  std::vector<ProgramPtr> programs;
  std::uint64_t copies = 0; // number of removed copies
};

/// Returns the graph and programs without elided copies, or null if every copy stays. In a graph with replicated parts
/// (Graph::createReplicatedGraph), every copy stays. For any other graph, throws the exceptions of lower() about calls,
/// vertices and tile mappings, but does not check for races.
[[nodiscard]] std::unique_ptr<ElidedGraph> elideCopies(const GraphIr &graph, const std::vector<ProgramPtr> &programs);

} // namespace popscope
