// --help as people read it: what the tool is first, sub-commands in groups, each text wrapped to the terminal.
//
//   Shows what a program ... costs.          what it is
//
//   Usage: popscope COMMAND [OPTIONS] ...
//
//   Look
//     info     The verdict: does it fit, ...  two columns; what is longer goes on below
#pragma once
#include <cstddef>
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// Help in lines of at most `columns`, but for examples and single long words.
[[nodiscard]] std::string helpText(const CLI::App &app, std::size_t columns);
/// Makes the app and its sub-commands print helpText for --help.
void setHelp(CLI::App &app, std::size_t columns);

} // namespace popscope
