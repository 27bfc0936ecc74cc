// Opens text that is longer than the terminal in a pager.
#pragma once
#include <string>

namespace popscope {

/// Shows `text` in the program that the variable PAGER names, if stdout is a terminal and the text has at least as many
/// lines as the terminal. Without PAGER, uses less, with options that keep colours and leave the text on the screen.
/// Returns false if nothing was shown, for example because PAGER is empty or "cat".
[[nodiscard]] bool showInPager(const std::string &text);

} // namespace popscope
