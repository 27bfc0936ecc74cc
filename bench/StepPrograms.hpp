// Step programs for the liveness benchmarks: as many variables as steps, 3.4 accesses a variable, most of them close
// together, every seventh write partial. Equal arguments give equal programs.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>

namespace bench {

enum class Shape : std::uint8_t {
  Straight, // one block; 2 % of the variables are read anywhere in the program
  Nested,   // Repeats, RepeatWhiles and Ifs up to four deep, one for about 70 steps; 2 % are read anywhere
  // Functions of about 100 steps, each called twice, by other functions too. Most variables live between two calls. 64
  // are read anywhere, and live in all that runs on the way; one in a hundred stands alone between two calls of the
  // root, is read before it is written there, and lives everywhere, through all functions.
  Calls,
  // One block, three steps a source. A third of the variables are messages of InOut operands, a third what they bring
  // and take back.
  Messages,
};
popscope::StepProgram stepProgram(Shape shape, std::uint32_t steps);

} // namespace bench
