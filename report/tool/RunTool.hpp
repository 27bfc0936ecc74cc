// What the mains of the tools share: exit codes, one-line errors, the screen.
//
//   0 done    1 a finding    2 wrong usage or unusable input    3 our bug
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

/// What text is printed for.
struct Screen {
  Style style{false};
  std::size_t columns = 0; // 0: as many as the text needs
};
/// `colour`: see addColour. Columns: the variable COLUMNS, else the terminal's.
[[nodiscard]] Screen screenOf(const std::string &colour);

/// What --version prints: the tool's own version, and the interface that it goes with.
[[nodiscard]] std::string versionOf(const std::string &tool);

/// The words after the program's own name. "--color always" becomes one word, as in "--color=always".
[[nodiscard]] std::vector<std::string> wordsOf(int argc, char **argv);

/// Parses. Returns true if the tool is to go on; else `exitCode` is set: 0 after --help or --version, 2 after one line
/// on stderr about what is wrong with the arguments, with the nearest option to one that there is not.
[[nodiscard]] bool parseArguments(CLI::App &app, const std::vector<std::string> &words, int &exitCode);

/// Runs `work` and prints what it wrote when it has ended well: an error leaves nothing on stdout but one line on
/// stderr. Returns the exit code: that of `work`, or of its exception. `pager`: what is longer than the terminal is
/// shown in one.
[[nodiscard]] int runTool(const std::string &tool, const std::function<int(std::ostream &out)> &work,
                          bool pager = false);

/// "popscope: message" on stderr, whatever line breaks the message has. Returns kUnusable.
int usageError(const std::string &tool, const std::string &message);

} // namespace popscope
