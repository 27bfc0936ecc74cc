// popscope config and popscope run: profile programs without changes to their source.
#pragma once
#include "report/tool/Command.hpp"

namespace popscope {

[[nodiscard]] CommandAction makeConfig(CLI::App &app);
[[nodiscard]] CommandAction makeRun(CLI::App &app);

} // namespace popscope
