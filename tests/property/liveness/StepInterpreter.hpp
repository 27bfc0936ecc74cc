// Runs lowered steps with random decisions, and follows every element that a step moves or passes to a vertex. Compares
// the analysis with the run: between a write and the last read of the written value, the variable is live at every
// executed step, and its place is occupied.
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
/// Interprets the steps. `undefs`: advised WriteUndefs, each of which discards the variable's value before each
/// execution of its step; no later step may read that value.
InterpreterFindings interpretSteps(const StepProgram &program, const LiveRanges &ranges, std::uint32_t seed,
                                   const std::vector<std::pair<VarId, StepIndex>> &undefs = {},
                                   std::uint32_t maxSteps = 400);

} // namespace popscope::testing
