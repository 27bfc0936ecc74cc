// Runs lowered steps with decisions taken at random, follows every element that a step really moves or hands to a
// vertex, and holds the analysis to what happened: between a write and the last read of what it wrote, the variable is
// live at every step that ran, and its place is occupied.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace popscope::testing {

struct InterpreterFindings {
  std::uint64_t stepsRun = 0, elementsRead = 0;
  std::vector<std::string> wrong; // at most a few
};
/// `undefs`: before each run of the step, what its variable holds is thrown away, as advised; nothing may read that
/// later.
InterpreterFindings interpretSteps(const StepProgram &program, const LiveRanges &ranges, std::uint32_t seed,
                                   const std::vector<std::pair<VarId, StepIndex>> &undefs = {},
                                   std::uint32_t maxSteps = 400);

} // namespace popscope::testing
