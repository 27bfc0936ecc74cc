// Messages for wrong arguments.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
} // namespace CLI
namespace popscope {

/// Returns the tool's name with the sub-command that was chosen: "popscope top".
[[nodiscard]] std::string commandLine(const CLI::App &app);

/// Returns the message for arguments that the parser refuses with `error`. If the cause is an unknown option, the
/// message names the sub-commands that have the option or, if there are none, the nearest known option.
[[nodiscard]] std::string usageProblem(const CLI::App &app, const CLI::ParseError &error,
                                       const std::vector<std::string> &words);

} // namespace popscope
