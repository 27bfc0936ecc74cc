// Makes the sub-command of a view. The ViewRow states the command-line options of the sub-command. The action prints
// the answer in the requested format.
#pragma once
#include "report/answers/View.hpp"
#include "report/tool/Command.hpp"

namespace popscope {

/// Adds the options of the view to `app`, and returns the action that runs the view. `view` must outlive the action.
[[nodiscard]] CommandAction makeViewCommand(CLI::App &app, const ViewRow &view);

} // namespace popscope
