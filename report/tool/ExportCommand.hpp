// popscope export: writes a profile in the formats of other tools.
#pragma once
#include "report/tool/Command.hpp"

namespace popscope {

[[nodiscard]] CommandAction makeExport(CLI::App &app);

} // namespace popscope
