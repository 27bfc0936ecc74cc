// Describes a command line for other programs: completions for shells, and a page for man. All texts are generated from
// the parser's table, so they contain every sub-command, option and value.
#pragma once
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// Returns a completion script for bash: sub-commands, options, and profiles (*.pop) as file names.
[[nodiscard]] std::string bashCompletion(const CLI::App &app);
/// Return the completion for zsh (a function `_popscope` for its fpath) and for fish (a list of commands).
[[nodiscard]] std::string zshCompletion(const CLI::App &app);
[[nodiscard]] std::string fishCompletion(const CLI::App &app);
/// Returns a manual page of section 1, in roff.
[[nodiscard]] std::string manPage(const CLI::App &app, const std::string &version);

} // namespace popscope
