// Step programs for the liveness benchmarks. A program has about as many variables as steps, and 3.4 accesses per
// variable (3.8 for Shape::Messages). Most accesses to a variable are close together. Two in five variables have a
// second write, and one in seven of these writes covers only a part of the variable. With Shape::Messages, these two
// ratios hold only for a third of the variables. The other two thirds are messages of InOut operands, and the variables
// of these messages. In these two thirds, each variable has a second write that covers the whole variable. Equal
// arguments give equal programs.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>

namespace bench {

enum class Shape : std::uint8_t {
  Straight, // no control flow; 2 % of the variables are read at arbitrary steps
  Nested,   // loops and Ifs up to four deep, one per 70 steps; 2 % of the variables are read at arbitrary steps
  // Functions of about 100 steps. The root calls each function once, and most functions call one other function. Most
  // variables live between two calls. About 64 variables are read at arbitrary steps. Each of these variables is live
  // at all steps between its write and this read. One variable in a hundred is accessed only between two calls of the
  // root. Each of these variables is read before it is written, so the variable is live at every step of all functions.
  Calls,
  // No control flow, and three steps per source. A third of the variables are messages of InOut operands, and a third
  // are the variables that these messages are copied from and back to.
  Messages,
};
popscope::StepProgram stepProgram(Shape shape, std::uint32_t steps);

} // namespace bench
