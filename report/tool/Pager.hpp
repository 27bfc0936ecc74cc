// Text that is longer than the terminal, shown page by page.
#pragma once
#include <string>

namespace popscope {

/// Shows `text` in the program that the variable PAGER names (else less, which then keeps colours and the screen), if
/// stdout is a terminal with fewer lines. False: nothing was shown. PAGER empty or "cat": never.
[[nodiscard]] bool showInPager(const std::string &text);

} // namespace popscope
