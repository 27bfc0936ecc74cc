// The sub-commands of popscope, one CommandRow each.
#pragma once
#include "report/tool/RunTool.hpp"

#include <vector>

namespace popscope {

/// A function that runs a parsed sub-command. The function prints to `out`, with the style and width of `screen`, and
/// returns the exit code. If the command fails, the function throws an exception whose message is for the user.
using CommandAction = std::function<int(std::ostream &out, const Screen &screen)>;
struct CommandRow {
  std::string name, help;
  std::function<CommandAction(CLI::App &app)> make; // adds the command's options and returns its action
  std::vector<const char *> examples = {};          // each is the text after "popscope "; empty if make() adds the
                                                    // examples itself
};
/// Returns the commands, grouped in the order of --help.
[[nodiscard]] const std::vector<CommandRow> &commands();
/// Returns the heading under which --help lists a command: "Look", "Ask why" ..., or "Other" for a command without a
/// group.
[[nodiscard]] std::string helpGroupOf(const std::string &command);

} // namespace popscope
