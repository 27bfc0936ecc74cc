// Formats --help: a description of the tool, options, sub-commands in groups, and examples, wrapped to the terminal.
//
//   popscope shows what a program ...         description of the tool
//
//   Usage: popscope COMMAND [OPTIONS] ...
//
//   Look
//     info     Print the verdict: whether ...  two columns; longer text continues below
#pragma once
#include <cstddef>
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// Returns the help of `app` in lines of at most `columns` characters. Examples and single long words may be longer.
[[nodiscard]] std::string helpText(const CLI::App &app, std::size_t columns);
/// Returns the usage line of `app`, for example "popscope diff [OPTIONS] FILE FILE".
[[nodiscard]] std::string usageOf(const CLI::App &app);
/// Makes the app and its sub-commands print helpText for --help.
void setHelp(CLI::App &app, std::size_t columns);

} // namespace popscope
