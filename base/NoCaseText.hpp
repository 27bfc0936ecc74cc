// The text of the ErrorProgram that Switch::switchWithBoundsChecking creates. A machine that executes this ErrorProgram
// reports the Switch, its control value and its cases instead, which are known only while the program runs.
#pragma once

namespace popscope {

inline constexpr const char *kNoCaseText = "The control value of Switch has no case";

} // namespace popscope
