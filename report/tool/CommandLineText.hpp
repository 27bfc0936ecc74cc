// Describes a command line for other programs: completions for shells, and a page for man. All texts are generated from
// the parser, so they contain all sub-commands and options of the parser. The type of an option or argument lists its
// words ("a|b|c"), and the shells offer these words. Files are offered only for types such as FILE.
#pragma once
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// Returns a completion script for bash. The script completes sub-commands, options, and the values of options and
/// arguments.
[[nodiscard]] std::string bashCompletion(const CLI::App &app);
/// Returns a completion script for zsh: a function such as `_popscope`, for a folder of zsh's fpath.
[[nodiscard]] std::string zshCompletion(const CLI::App &app);
/// Returns a completion script for fish: a list of `complete` commands.
[[nodiscard]] std::string fishCompletion(const CLI::App &app);
/// Returns a manual page of section 1, in roff.
[[nodiscard]] std::string manPage(const CLI::App &app, const std::string &version);

} // namespace popscope
