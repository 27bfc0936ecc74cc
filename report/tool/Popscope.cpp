#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/Version.hpp"
#include "report/tool/Arguments.hpp"
#include "report/tool/Command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Returns whether the Python package has the sub-command.
bool isPython(const Words &words) { return !words.empty() && (words[0] == "sweep" || words[0] == "archive"); }

/// Runs `python3 -m popscope` in place of this process, with the package of this build or installation first. Returns
/// an exit code only if that fails.
int runInPython(Words words) {
  std::error_code ignored;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  for (const fs::path &folder : {prefix / "lib" / "python", prefix / "python", prefix.parent_path().parent_path()})
    if (fs::exists(folder / "popscope" / "__main__.py", ignored)) {
      const auto known = popscope::environmentVariable("PYTHONPATH");
      setenv("PYTHONPATH", (folder.string() + (known ? ":" + *known : "")).c_str(), 1);
      break;
    }
  const std::string name = words[0];
  words.insert(words.begin(), {"python3", "-m", "popscope"});
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return popscope::usageError("popscope " + name, std::string("python3 cannot be started: ") + std::strerror(errno) +
                                                      "; install it, and the package of docs/PYTHON.md");
}

bool isCommand(const std::string &word) {
  const auto &rows = popscope::commands();
  return std::any_of(rows.begin(), rows.end(), [&](const popscope::CommandRow &row) { return word == row.name; });
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
  const bool file = word->find('/') != std::string::npos || std::filesystem::path(*word).extension() == ".pop" ||
                    std::filesystem::exists(*word);
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
  for (const auto &row : popscope::commands())
    known.push_back(row.name);
  return "unknown sub-command \"" + *word + "\"." + popscope::didYouMean(*word, known) + " popscope --help lists all";
}

std::string examplesOf(const popscope::CommandRow &row) {
  std::string text = "Examples:";
  for (const char *example : row.examples)
    text += std::string("\n  popscope ") + example;
  return text;
}

} // namespace

int main(int argc, char **argv) {
  const Words words = orInfo(askForHelp(popscope::wordsOf(argc, argv)));
  if (words.empty())
    return popscope::usageError("popscope", "give a profile or a sub-command; popscope --help lists all");
  if (isPython(words))
    return runInPython(words);
  if (const auto problem = unknownCommand(words))
    return popscope::usageError("popscope", *problem);
  CLI::App app{
      "popscope shows what a program for a tile machine holds in memory, where its cycles go and why. It reads the "
      "profile (.pop) that the program wrote. Begin with popscope FILE, which prints the verdict.",
      "popscope"};
  app.set_version_flag("--version", popscope::versionOf("popscope"));
  app.require_subcommand(1);
  const auto colour = std::make_shared<std::string>();
  bool noPager = false;
  popscope::addColour(app, colour);
  app.add_flag("--no-pager", noPager,
               "Print directly; else output longer than the terminal opens in a pager ($PAGER, or less)");
  popscope::CommandAction chosen;
  std::string name = "popscope";
  for (const auto &row : popscope::commands()) {
    CLI::App *sub = app.add_subcommand(row.name, row.help);
    sub->group(popscope::helpGroupOf(row.name));
    popscope::addColour(*sub, colour);
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
  int exitCode = 0;
  if (!popscope::parseArguments(app, words, exitCode))
    return exitCode;
  return popscope::runTool(
      name, [&](std::ostream &out) { return chosen(out, popscope::screenOf(*colour)); }, !noPager);
}
