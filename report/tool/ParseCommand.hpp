// The command line of popscope: from words to the sub-command that runs.
#pragma once
#include "report/tool/Command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

/// A sub-command with its options.
struct ParsedCommand {
  std::shared_ptr<CLI::App> options; // the action refers to them
  CommandAction action;
  std::string name, colour; // name as messages have it, "popscope info"
  bool pager = true;
};

/// Returns whether the Python package has the sub-command.
[[nodiscard]] bool isPythonCommand(const std::vector<std::string> &words);

/// Returns `words`, the arguments without the program's name, in full: "help SUB" becomes "SUB --help", and
/// "profile.pop" becomes "info profile.pop", which prints the verdict.
[[nodiscard]] std::vector<std::string> withoutAbbreviations(std::vector<std::string> words);

/// Parses words that withoutAbbreviations() returned. Runs nothing and opens no file. After --help, --version and
/// similar options, prints their text and returns no command. For wrong usage, prints one line on stderr and returns no
/// command. `exitCode` is set in both cases.
[[nodiscard]] std::optional<ParsedCommand> parseCommand(const std::vector<std::string> &words, int &exitCode);

} // namespace popscope
