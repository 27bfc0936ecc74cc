// Checks that every allocation has a reference, and that every reference has an allocation. A reference is a field, an
// instruction, a symbol, or an operand that a step reads.
//
// The findings are two lists, which are empty for a correct layout. Data that steps only write has no reference.
// Variables of the user are an exception: a write of such a variable is a reference, too. The check derives the
// expected allocations from the steps: from operands, vertices, fields, instructions and symbols. Only the borders
// between pieces of control code come from the layout.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <string>
#include <vector>

namespace popscope {

struct ConsumerFindings {
  std::vector<std::string> unreferenced; // allocations without a reference of their size
  std::vector<std::string> unplaced;     // references without an allocation of their size
};

/// Compares the layout with the program. If `codeIncluded` is true, the layout must contain code; otherwise the layout
/// must contain neither code nor control tables.
ConsumerFindings checkConsumers(const StepProgram &program, const LayoutResult &layout, const TileMachine &machine,
                                bool codeIncluded);

} // namespace popscope
