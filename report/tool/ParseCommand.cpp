#include "report/tool/ParseCommand.hpp"

#include "base/EditDistance.hpp"
#include "base/Version.hpp"
#include "report/tool/Arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

namespace popscope {
namespace {

using Words = std::vector<std::string>;

bool isCommand(const std::string &word) {
  const auto &rows = commands();
  return std::any_of(rows.begin(), rows.end(), [&](const CommandRow &row) { return word == row.name; });
}

/// Turns "help", "help SUB" and "--help SUB", which git also accepts, into "SUB --help".
Words askForHelp(Words words) {
  if (words.empty() || (words[0] != "help" && !(words.size() > 1 && (words[0] == "--help" || words[0] == "-h"))))
    return words;
  words.erase(words.begin());
  words.push_back("--help");
  return words;
}

/// Turns "popscope profile.pop" into "popscope info profile.pop", which prints the verdict.
Words orInfo(Words words) {
  const auto word =
      std::find_if(words.begin(), words.end(), [](const std::string &w) { return !w.empty() && w[0] != '-'; });
  if (word == words.end() || isCommand(*word))
    return words;
  std::error_code error; // a name that is too long, for instance: there is no such file
  const bool file = word->find('/') != std::string::npos || std::filesystem::path(*word).extension() == ".pop" ||
                    std::filesystem::exists(*word, error);
  if (file)
    words.insert(word, "info");
  return words;
}

// Returns the message for a word that is not a sub-command. CLI11 would only report that a sub-command is required.
std::optional<std::string> unknownCommand(const Words &words) {
  const auto word = std::find_if(words.begin(), words.end(),
                                 [](const std::string &w) { return w == "-" || w.empty() || w[0] != '-'; });
  if (word == words.end() || isCommand(*word))
    return std::nullopt;
  Words known;
  for (const auto &row : commands())
    known.push_back(row.name);
  return "unknown sub-command \"" + *word + "\"." + didYouMean(*word, known) + " popscope --help lists all";
}

std::string examplesOf(const CommandRow &row) {
  std::string text = "Examples:";
  for (const char *example : row.examples)
    text += std::string("\n  popscope ") + example;
  return text;
}

} // namespace

bool isPythonCommand(const Words &words) { return !words.empty() && (words[0] == "sweep" || words[0] == "archive"); }

Words withoutAbbreviations(Words words) { return orInfo(askForHelp(std::move(words))); }

std::optional<ParsedCommand> parseCommand(const Words &words, int &exitCode) {
  if (words.empty()) {
    exitCode = usageError("popscope", "give a profile or a sub-command; popscope --help lists all");
    return std::nullopt;
  }
  if (const auto problem = unknownCommand(words)) {
    exitCode = usageError("popscope", *problem);
    return std::nullopt;
  }
  const auto kept = std::make_shared<CLI::App>(
      "popscope shows what a program for a tile machine holds in memory, where its cycles go and why. It reads the "
      "profile (.pop) that the program wrote. Begin with popscope FILE, which prints the verdict.",
      "popscope");
  CLI::App &app = *kept;
  app.set_version_flag("--version", versionOf("popscope"));
  app.require_subcommand(1);
  const auto colour = std::make_shared<std::string>();
  bool noPager = false;
  addColour(app, colour);
  app.add_flag("--no-pager", noPager,
               "Print directly. Without this flag, output longer than the terminal opens in a pager ($PAGER, or less)");
  CommandAction chosen;
  std::string name = "popscope";
  for (const auto &row : commands()) {
    CLI::App *sub = app.add_subcommand(row.name, row.help);
    sub->group(helpGroupOf(row.name));
    addColour(*sub, colour);
    sub->add_flag("--no-pager", noPager, "Print directly, without a pager");
    sub->callback([&chosen, &name, sub, action = row.make(*sub)] {
      chosen = action;
      name = "popscope " + sub->get_name();
    });
    if (!row.examples.empty())
      sub->footer(examplesOf(row));
  }
  app.footer(
      "Examples:\n  popscope profile.pop\n  popscope run -- ./program arguments\npopscope COMMAND --help lists the "
      "options of a command, with examples. The Python package adds the commands sweep and archive (docs/PYTHON.md).");
  if (!parseArguments(app, words, exitCode))
    return std::nullopt;
  return ParsedCommand{kept, chosen, name, *colour, !noPager};
}

} // namespace popscope
