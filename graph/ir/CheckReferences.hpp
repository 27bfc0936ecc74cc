// Checks that programs use only tensors, compute sets and functions of one graph. A walk over the user's programs calls
// checkReferences first, because the walk looks up numbers from the programs in the tables of the graph.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <vector>

namespace popscope {

/// Throws control_program_error if the program, without its children, uses a tensor, compute set or function of another
/// graph, or a compute set or function whose number the graph does not have.
void checkReferences(const ProgramNode &program, const GraphIr &graph);
/// Applies the same check to the programs, to all programs below them, and to the bodies of called functions. Cost:
/// linear in the number of programs.
void checkReferences(const std::vector<ProgramPtr> &programs, const GraphIr &graph);

} // namespace popscope
