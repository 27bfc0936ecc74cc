// The sub-command of a view: its row made into options, its answer printed as asked.
#pragma once
#include "report/answers/View.hpp"
#include "report/tool/Command.hpp"

namespace popscope {

/// `view` must outlive the action.
[[nodiscard]] CommandAction makeViewCommand(CLI::App &app, const ViewRow &view);

} // namespace popscope
