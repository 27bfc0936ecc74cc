// What the mains of the tools share: exit codes and one-line errors.
//
//   0 done    2 wrong usage or unusable input    3 our bug
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace CLI {
class App;
}
namespace popscope {

/// Parses. Returns true if the tool is to go on; else `exitCode` is set: 0 after --help or --version, 2 after one line on
/// stderr about what is wrong with the arguments.
[[nodiscard]] bool parseArguments(CLI::App &app, int argc, char **argv, int &exitCode);

/// Runs `work` and prints what it wrote when it has ended well: an error leaves nothing on stdout but one line on stderr.
/// Returns the exit code.
[[nodiscard]] int runTool(const std::string &tool, const std::function<void(std::ostream &out)> &work);

/// "popscope: message" on stderr, whatever line breaks the message has. Returns 2.
int usageError(const std::string &tool, const std::string &message);

} // namespace popscope
