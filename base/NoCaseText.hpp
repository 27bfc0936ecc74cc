// The text of the ErrorProgram that Switch::switchWithBoundsChecking creates. A machine that executes this ErrorProgram
// does not report this text. Instead, the machine reports the Switch, its cases and the control value, which is known
// only at run time.
#pragma once

namespace popscope {

inline constexpr const char *kNoCaseText = "The control value of Switch has no case";

} // namespace popscope
