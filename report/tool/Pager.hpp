// Opens text that is longer than the terminal in a pager.
#pragma once
#include <string>

namespace popscope {

/// Shows `text` in a pager if stdout is a terminal and the text has at least as many lines as the terminal. The pager
/// is the program that the variable PAGER names. Without PAGER, uses less. If the variable LESS is not set, the pager
/// gets LESS=FRX. With these flags, less keeps colours, leaves the text on the screen, and ends at once if the text
/// fits on one screen. Returns false if nothing was shown, for example because PAGER is empty or "cat", or because TERM
/// is "dumb" or not set.
[[nodiscard]] bool showInPager(const std::string &text);

} // namespace popscope
