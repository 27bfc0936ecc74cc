// popscope html writes the viewer's page with no, one or two profiles in it. popscope view opens the page with one
// profile in a browser.
#pragma once
#include "report/tool/Command.hpp"

namespace popscope {

[[nodiscard]] CommandAction makeHtml(CLI::App &app);
[[nodiscard]] CommandAction makeView(CLI::App &app);

} // namespace popscope
