// Opens text that is longer than the terminal in a pager.
#pragma once
#include <string>

namespace popscope {

/// Shows `text` in the program that the variable PAGER names, if stdout is a terminal and the text has at least as many
/// lines as the terminal. Without PAGER, uses less. If the variable LESS is not set, sets less's options to keep
/// colours and to leave the text on the screen. Returns false if nothing was shown, for example because PAGER is empty
/// or "cat".
[[nodiscard]] bool showInPager(const std::string &text);

} // namespace popscope
