// Turns the command line of popscope, a list of words, into the sub-command to run.
#pragma once
#include "report/tool/Command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

/// A sub-command with its options.
struct ParsedCommand {
  std::shared_ptr<CLI::App> options; // the parser, with the options of `action`
  CommandAction action;
  std::string name, colour; // `name` is the command's name in messages: "popscope info"
  bool pager = true;
};

/// Returns whether the words call a sub-command of the Python package.
[[nodiscard]] bool isPythonCommand(const std::vector<std::string> &words);

/// Expands abbreviations in `words`, the arguments without the program's name: "help SUB" and "--help SUB" become "SUB
/// --help", and "profile.pop" becomes "info profile.pop", which prints the verdict.
[[nodiscard]] std::vector<std::string> withoutAbbreviations(std::vector<std::string> words);

/// Parses words that withoutAbbreviations() returned. Runs nothing and opens no file. After --help, --version and
/// similar options, prints their text, sets `exitCode` and returns no command. For wrong usage, prints one line on
/// stderr, sets `exitCode` and returns no command.
[[nodiscard]] std::optional<ParsedCommand> parseCommand(const std::vector<std::string> &words, int &exitCode);

} // namespace popscope
