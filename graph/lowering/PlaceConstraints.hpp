// PlaceConstraints: collects the constraints of codelets on the addresses of their operands, for the layout. The
// constraints are pairs of homes that must lie in different memory elements ([[poplar::constraint("elem(*a) !=
// elem(*b)")]]), and upper limits of the addresses of operands to which scaled pointers point. A copy vertex that loads
// and stores in one cycle also gives pairs: the source and the destination of each of its runs.
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
