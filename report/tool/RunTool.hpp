// The parts that the tools' main functions share: exit codes, errors, and the screen's properties.
//
//   0 done    1 a finding    2 wrong usage or unusable input    3 a fault of Popscope
#pragma once
#include "report/summary/Style.hpp"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}
namespace popscope {

inline constexpr int kDone = 0, kFinding = 1, kUnusable = 2, kOurBug = 3;

/// The style and the width for which text is printed.
struct Screen {
  Style style{false};
  std::size_t columns = 0; // maximum length of a line; 0 for lines of any length
};
/// Returns the properties of stdout. `colour` is the value of addColour's option. The width is the result of
/// terminalColumns(), or 0 if that function returns no value.
[[nodiscard]] Screen screenOf(const std::string &colour);

/// Returns the text of --version. The text contains the name of the tool, the version of Popscope, and the version of
/// Poplar whose interface Popscope follows.
[[nodiscard]] std::string versionOf(const std::string &tool);

/// Returns the arguments without the program's name. If the word auto, always or never follows --color or --colour,
/// joins the two words to one, for example "--color=always".
[[nodiscard]] std::vector<std::string> wordsOf(int argc, char **argv);

/// Parses the arguments. In the name of a file or folder, replaces a leading ~ by the home folder. Returns true if the
/// tool should continue. If the tool should end, sets `exitCode`: 0 after --help, --version, --man or an option for
/// completion scripts; 2 if an argument is wrong or a requested text cannot be written. If an argument is wrong, prints
/// the message of usageProblem() as one line on stderr.
[[nodiscard]] bool parseArguments(CLI::App &app, const std::vector<std::string> &words, int &exitCode);

/// Runs `work`. If `work` throws no exception, prints its output. After an error, stdout stays empty and stderr has one
/// line. Returns the exit code of `work`. Returns kOurBug after an InternalError, and kUnusable after another exception
/// or if the output cannot be written. If `pager` is true, output longer than the terminal opens in a pager.
[[nodiscard]] int runTool(const std::string &tool, const std::function<int(std::ostream &out)> &work,
                          bool pager = false);

/// Prints "TOOL: MESSAGE" on stderr as one line, which wraps if stderr is a terminal. Leaves out the middle of a very
/// long message. Returns kUnusable.
int usageError(const std::string &tool, const std::string &message);

} // namespace popscope
