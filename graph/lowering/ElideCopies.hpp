// ElideCopies: a copy that only gives elements another name moves nothing: who reads the destination reads the source.
//   in: one float a tile, p: cloned from it
//   Copy in -> p, Execute reads p      Execute reads in; p takes no memory
// Runs before lowering. Legal where
//   - the copy alone writes the destination, all of it (a WriteUndef of it goes with it), and every reader comes behind
//   it in the same body (of a
//     program, a function, a loop, a branch), whatever is nested in there: so each of them sees this copy's values;
//   - nothing writes the source, nor undefines it, between the copy and the last of these readers;
//   - each tile's part of the destination is one run of one variable on that tile, from a multiple of 8 bytes on: no
//     reader that reads in place has to gather;
//   - no vertex touches both, as codelets may ask that two fields lie in different memory.
// What then is left of copies of results, the other way round: who writes the source writes the destination.
//   Execute writes r, Copy r -> out    Execute writes out; r takes no memory
// Legal where
//   - the copy reads all of the source, and its other readers and writers come before it in the same body;
//   - the copy alone writes the destination's variables, or the first of these writes or undefines all of the source,
//   so
//     that nothing is left in it of the time before;
//   - nobody reads or writes the destination between the first of these and the copy: outside of that stretch both hold
//     the same, or the source is not looked at;
//   - each tile's part of the source is one run of one variable on that tile, as above.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <memory>
#include <vector>

namespace popscope {

struct ElidedGraph {
  GraphIr graph;
  std::vector<ProgramPtr> programs;
  std::uint64_t copies = 0; // that are gone
};

/// Returns the graph and programs without elided copies, or null if every copy stays. Throws what lower() throws for a
/// graph and programs that cannot be lowered.
[[nodiscard]] std::unique_ptr<ElidedGraph> elideCopies(const GraphIr &graph, const std::vector<ProgramPtr> &programs);

} // namespace popscope
