// popscope html and popscope view: write or open the viewer's page with a profile in it.
#pragma once
#include "report/tool/Command.hpp"

namespace popscope {

[[nodiscard]] CommandAction makeHtml(CLI::App &app);
[[nodiscard]] CommandAction makeView(CLI::App &app);

} // namespace popscope
