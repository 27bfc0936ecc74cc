// popscope config and popscope run: profiles of unmodified programs.
#pragma once
#include "report/tool/Command.hpp"

namespace popscope {

[[nodiscard]] CommandAction makeConfig(CLI::App &app);
[[nodiscard]] CommandAction makeRun(CLI::App &app);

} // namespace popscope
