// The functions of a program, callees first, and whether each ever comes back.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct FunctionOrder {
  std::vector<std::uint32_t> calleesFirst; // every function once, after all that it calls
  std::vector<std::uint32_t> rank;         // by function: its place in calleesFirst
  std::vector<std::uint32_t> lowest; // by function: the lowest rank among it and all that it calls, directly or not
  std::vector<bool> returns;         // by function: some path through its body reaches the end
};

/// Linear in steps. Throws InternalError when a Call names no function or a function calls itself, directly or not.
FunctionOrder orderFunctions(const StepProgram &program);

/// Whether control may go on after an If or a Switch without entering any of its children.
[[nodiscard]] bool mayGoStraightOn(const StepProgram &program, const Step &step, std::size_t numChildren);

} // namespace popscope
