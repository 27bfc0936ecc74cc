// Describes a command line for other programs: as completion for shells and as a page for man. All texts come from the
// parser's own table, so they contain every sub-command, option and value.
#pragma once
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// Returns a script for bash's `complete`: sub-commands, options, and profiles (*.pop) as files.
[[nodiscard]] std::string bashCompletion(const CLI::App &app);
/// Return the completion for zsh, a function `_popscope` on its fpath, and for fish, a list of commands.
[[nodiscard]] std::string zshCompletion(const CLI::App &app);
[[nodiscard]] std::string fishCompletion(const CLI::App &app);
/// Returns a manual page of section 1 in roff.
[[nodiscard]] std::string manPage(const CLI::App &app, const std::string &version);

} // namespace popscope
