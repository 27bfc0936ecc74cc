// Independent checkers: share no algorithm with what they check. Each returns the findings, empty when all is well.
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

/// A1..A5, A7 and A8 by comparing all pairs of allocations on each tile in space and, step by step, in time; then that
/// all that steps refer to is placed (the other list of checkConsumers is for whole programs). `codeIncluded`: whether
/// there is to be code; by default, whether there is any.
std::vector<std::string> checkLayout(const StepProgram &program, const LiveRanges &ranges, const LayoutResult &layout,
                                     const TileMachine &machine, std::optional<bool> codeIncluded = std::nullopt,
                                     Threads threads = {});
/// L1..L4 against a dense bitset data-flow solution per step (slow, obvious).
std::vector<std::string> checkLiveness(const StepProgram &program, const LiveRanges &ranges);

} // namespace popscope
