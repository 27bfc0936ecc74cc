// Every allocation has an owner and something that refers to it, and everything that is referred to has an allocation.
// Two lists, both empty for a good layout. Data refers to its readers: what is only written has none, unless it is a
// variable of the user, whom it serves by being there. What is wanted is worked out from the steps alone: from
// operands, vertices, fields, instructions and symbols.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <string>
#include <vector>

namespace popscope {

struct ConsumerFindings {
  std::vector<std::string>
      unreferenced; // allocations to which no operand that is read, field, instruction or symbol refers
  std::vector<std::string> unplaced; // operands, fields, instructions and symbols without an allocation of their size
};

/// `codeIncluded`: whether the layout is to hold code.
ConsumerFindings checkConsumers(const StepProgram &program, const LayoutResult &layout, const TileMachine &machine,
                                bool codeIncluded);

} // namespace popscope
