// Checks that programs use only tensors, compute sets and functions of one graph. Every walk over programs of the user
// does this first, because the walk looks up numbers of the programs in the tables of the graph.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <vector>

namespace popscope {

/// Throws control_program_error if the program, without its children, uses a tensor, compute set or function of another
/// graph, or a compute set or function whose number the graph does not have.
void checkReferences(const ProgramNode &program, const GraphIr &graph);
/// Checks the programs, their children, and the bodies of the functions that they call. Linear in the programs.
void checkReferences(const std::vector<ProgramPtr> &programs, const GraphIr &graph);

} // namespace popscope
