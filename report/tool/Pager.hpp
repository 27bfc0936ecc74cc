// Text that is longer than the terminal, shown page by page.
#pragma once
#include <string>

namespace popscope {

/// Shows `text` in the program that the variable PAGER names (else less, which then keeps colours and the screen), if
/// stdout is a terminal with fewer lines than the text. Returns false if it showed nothing. Never shows text if PAGER
/// is empty or "cat".
[[nodiscard]] bool showInPager(const std::string &text);

} // namespace popscope
