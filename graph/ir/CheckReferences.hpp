// Checks that programs use only tensors, compute sets and functions of one graph. A walk over the user's programs calls
// checkReferences first, because the walk uses numbers from the programs as indices into the tables of the graph.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <vector>

namespace popscope {

/// Checks one program, without its children. Throws control_program_error if the program uses a tensor, compute set or
/// function of another graph. Also throws this exception if the program uses a compute set or function whose number the
/// graph does not have.
void checkReferences(const ProgramNode &program, const GraphIr &graph);
/// Makes the checks of the function above for each of `programs`, for all programs below these programs, and for the
/// bodies of called functions. Cost: linear in the number of programs.
void checkReferences(const std::vector<ProgramPtr> &programs, const GraphIr &graph);

} // namespace popscope
