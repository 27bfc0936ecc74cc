// The sub-commands of popscope: one row each.
#pragma once
#include "report/tool/RunTool.hpp"

#include <vector>

namespace popscope {

/// Runs a parsed sub-command: prints to `out` for `screen`, and returns the exit code. Throws if the command fails.
using CommandAction = std::function<int(std::ostream &out, const Screen &screen)>;
struct CommandRow {
  std::string name, help;
  std::function<CommandAction(CLI::App &app)> make; // adds the command's options and returns its action
  std::vector<const char *> examples = {};          // the words after "popscope "; empty if make() sets the footer
};
/// Returns the commands by group, in the order of --help.
[[nodiscard]] const std::vector<CommandRow> &commands();
/// Returns the heading of --help under which a command is listed: "Look", "Ask why" ...
[[nodiscard]] std::string helpGroupOf(const std::string &command);

} // namespace popscope
