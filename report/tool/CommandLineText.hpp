// A command line told to other programs: completion for bash, a page for man. Both come from the parser's own table, so
// they know every sub-command and option.
#pragma once
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// A script for bash's `complete`: sub-commands, options, and profiles (*.pop) as files.
[[nodiscard]] std::string bashCompletion(const CLI::App &app);
/// A page of section 1 in roff.
[[nodiscard]] std::string manPage(const CLI::App &app, const std::string &version);

} // namespace popscope
