// Describes a command line for other programs: completions for shells, and a page for man. All texts are generated from
// the parser, so they contain all sub-commands and options of the parser. The texts also contain the values of an
// option if the type of the option lists these values ("a|b|c").
#pragma once
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// Returns a completion script for bash. The script completes sub-commands, options, values of the options of
/// sub-commands, profiles (*.pop) and folders.
[[nodiscard]] std::string bashCompletion(const CLI::App &app);
/// Returns a completion script for zsh: a function such as `_popscope`, for a folder of zsh's fpath.
[[nodiscard]] std::string zshCompletion(const CLI::App &app);
/// Returns a completion script for fish: a list of `complete` commands.
[[nodiscard]] std::string fishCompletion(const CLI::App &app);
/// Returns a manual page of section 1, in roff.
[[nodiscard]] std::string manPage(const CLI::App &app, const std::string &version);

} // namespace popscope
