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
/// message names sub-commands that have the option. If no sub-command has the option, the message names a similar known
/// option if there is one.
[[nodiscard]] std::string usageProblem(const CLI::App &app, const CLI::ParseError &error,
                                       const std::vector<std::string> &words);

} // namespace popscope
