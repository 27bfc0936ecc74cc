// PlaceConstraints: collects the constraints of codelets on the addresses of operands, for the layout. There are two
// kinds of constraints. Pairs of homes must lie in different memory elements ([[poplar::constraint("elem(*a) !=
// elem(*b)")]]). If a scaled pointer points to an operand, the address of the operand has an upper limit. A copy vertex
// that loads and stores in one cycle also gives pairs: the source and the destination of each run of the vertex.
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"
#include "target-models/model/TileMachine.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Returns pairs of fields whose operands must be in different memory elements: {{"a", "b"}, ...} for each inequality
/// of "elem(*a) != elem(*b)". For a chain such as "elem(*a) != elem(*b) != elem(*c)", returns the neighbouring pairs
/// {"a", "b"} and {"b", "c"}. Returns no pairs for other texts.
std::vector<std::pair<std::string, std::string>> parseConstraint(const std::string &text);

/// Fills StepProgram::apart and StepVar::addressLimit.
void placeConstraints(StepProgram &program, const CodeletSet &codelets, const TileMachine &machine);

} // namespace popscope
