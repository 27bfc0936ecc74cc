// Orders the functions of a program, callees first, and finds the functions that return.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct FunctionOrder {
  std::vector<std::uint32_t> calleesFirst; // every function once, after all functions that it calls
  std::vector<std::uint32_t> rank;         // per function: its position in calleesFirst
  std::vector<std::uint32_t> lowest;       // per function: the lowest rank of the function and its direct and indirect
                                           // callees
  std::vector<bool> returns;               // per function: whether some path through its body reaches the end
};

/// Orders the functions, callees first. Cost: linear in steps, plus O(n log n) for n calls. Throws InternalError if a
/// Call inside a function names no function, or if a function calls itself, directly or indirectly.
FunctionOrder orderFunctions(const StepProgram &program);

/// Returns whether control may continue after an If or a Switch without entering a child of this step.
[[nodiscard]] bool mayGoStraightOn(const StepProgram &program, const Step &step, std::size_t numChildren);
/// Returns whether the step is a Repeat of one iteration. Such a Repeat runs as a Sequence: its step, then its
/// children.
[[nodiscard]] bool repeatsOnce(const StepProgram &program, const Step &step);

} // namespace popscope
