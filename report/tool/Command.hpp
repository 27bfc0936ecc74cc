// The sub-commands of popscope: one row each.
#pragma once
#include "report/tool/RunTool.hpp"

#include <vector>

namespace popscope {

/// Runs a parsed sub-command: prints to `out` for `screen`, and returns the exit code. Throws if the command fails.
using CommandAction = std::function<int(std::ostream &out, const Screen &screen)>;
struct CommandRow {
  std::string name, help;
  std::function<CommandAction(CLI::App &app)> make; // adds the command's options and returns what runs it
  std::vector<const char *> examples = {};          // what stands after "popscope "; none where make() sets the footer
};
/// In the order of --help: by group.
[[nodiscard]] const std::vector<CommandRow> &commands();
/// The heading of --help under which a command stands: "Look", "Ask why" ...
[[nodiscard]] std::string helpGroupOf(const std::string &command);

} // namespace popscope
