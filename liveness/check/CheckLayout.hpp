// Independent checkers of layouts and live ranges. The checkers share no algorithm with the code that they check. Each
// checker returns a list of errors, or an empty list if it finds no error.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

/// Checks the invariants A1 to A5, A7 and A8 (Layout.hpp), and the list of tiles out of memory. For A1, compares all
/// pairs of allocations of each tile in space and, step by step, in time. Also checks that each object to which a step
/// refers has an allocation. Does not report allocations to which no step refers; checkConsumers reports these. If
/// `codeIncluded` is true, code must have allocations. Without a value of `codeIncluded`, either all code or no code
/// must have allocations. Returns one message per violation.
std::vector<std::string> checkLayout(const StepProgram &program, const LiveRanges &ranges, const LayoutResult &layout,
                                     const TileMachine &machine, std::optional<bool> codeIncluded = std::nullopt,
                                     Threads threads = {});
/// Checks the invariants L1 to L5 (LiveRanges.hpp) against solveDenseLiveness, a slow and simple solution with bits for
/// each step and variable, and for each step and home. Returns one message per violation.
std::vector<std::string> checkLiveness(const StepProgram &program, const LiveRanges &ranges);

} // namespace popscope
