#include "report/tool/UsageProblem.hpp"

#include "base/EditDistance.hpp"
#include "base/ShownText.hpp"
#include "report/tool/HelpText.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace popscope {
namespace {

void addNames(const CLI::App &app, std::vector<std::string> &names) {
  for (const CLI::Option *option : app.get_options([](const CLI::Option *) { return true; })) {
    for (const auto &name : option->get_lnames())
      names.push_back("--" + name);
    for (const auto &name : option->get_snames())
      names.push_back("-" + name);
  }
}

/// Returns the sub-commands that have an option which neither the program nor the chosen sub-command has: "top, stats".
/// Lists at most six sub-commands, followed by the number of the others. Returns "" if no sub-command was chosen, or if
/// no sub-command has the option.
std::string commandsWith(const CLI::App &app, const std::vector<CLI::App *> &chosen, const std::string &option) {
  constexpr std::size_t kShown = 6;
  std::string all;
  std::size_t count = 0;
  if (chosen.empty())
    return all;
  for (const CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; })) {
    std::vector<std::string> names;
    addNames(*sub, names);
    if (std::find(names.begin(), names.end(), option) != names.end())
      all += ++count > kShown ? "" : (all.empty() ? "" : ", ") + sub->get_name();
  }
  return count > kShown ? all + " and " + std::to_string(count - kShown) + " more" : all;
}

/// Returns the command line of `popscope run` with "--" before its program, or "" if no program is given or if "--" is
/// already there.
std::string withDashes(const CLI::App &app, const std::vector<std::string> &words) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty() || chosen.front()->get_name() != "run" ||
      std::find(words.begin(), words.end(), "--") != words.end())
    return "";
  std::string text = app.get_name();
  bool found = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const CLI::Option *before = i == 0 ? nullptr : chosen.front()->get_option_no_throw(words[i - 1]);
    const bool isValue = before != nullptr && before->get_expected_max() != 0;
    const bool isProgram = !found && words[i] != "run" && words[i][0] != '-' && !isValue;
    found = found || isProgram;
    text += (isProgram ? " -- " : " ") + shellWord(words[i]);
  }
  return found ? text : "";
}

/// Returns a message about the first word that looks like an option but is unknown to the program and the sub-command,
/// or "" if there is no such word. The message names other sub-commands with this option, or else a similar known
/// option.
std::string unknownOption(const CLI::App &app, const std::vector<std::string> &words) {
  const auto chosen = app.get_subcommands();
  std::vector<std::string> known, near;
  addNames(app, known);
  for (const CLI::App *sub : chosen)
    addNames(*sub, known);
  near = known;
  if (chosen.empty())
    for (const CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; }))
      addNames(*sub, near);
  for (const std::string &word : words) {
    if (word == "--")
      break;
    const bool number = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
    if (word.size() < 2 || word[0] != '-' || number)
      continue;
    const std::string name = word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    if (const std::string line = withDashes(app, words); !line.empty())
      return "there is no " + name + " here; the program and its arguments come after --: " + line;
    if (const std::string others = commandsWith(app, chosen, name); !others.empty())
      return "there is no " + name + " here; " + others +
             (others.find(' ') == std::string::npos ? " has it" : " have it");
    return "unknown option \"" + name + "\"." + didYouMean(name, near) + " " + commandLine(app) + " --help lists all";
  }
  return "";
}

/// Returns the text after the last `mark`, or "" if there is none.
std::string after(const std::string &text, const std::string &mark) {
  const std::size_t at = text.rfind(mark);
  return at == std::string::npos ? "" : text.substr(at + mark.size());
}

/// Returns the parser's message as a sentence of ours. The parser gives no parts of a message, only its text.
std::string inOurWords(const CLI::App &app, const CLI::ParseError &error) {
  const std::string text = error.what(), name = text.substr(0, text.find_first_of(": "));
  if (dynamic_cast<const CLI::RequiredError *>(&error) != nullptr)
    return "an argument is missing; usage: " +
           usageOf(app.get_subcommands().empty() ? app : *app.get_subcommands().front());
  if (dynamic_cast<const CLI::ExcludesError *>(&error) != nullptr)
    return name + " and " + after(text, " excludes ") + " exclude each other; give one of them";
  if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr)
    if (const std::vector<std::string> words = app.remaining(true); !words.empty())
      return "\"" + words.front() + "\" is too much";
  if (dynamic_cast<const CLI::ConversionError *>(&error) != nullptr)
    if (const std::string given = after(text, ": "); given.find(" = ") != std::string::npos) {
      const std::size_t equals = given.find(" = ");
      const std::string option = given.substr(0, equals);
      const CLI::Option *found = app.get_option_no_throw(option);
      const bool isFlag = found != nullptr && found->get_expected_max() == 0;
      return option + ": \"" + given.substr(equals + 3) + "\" is not allowed; give " +
             (isFlag ? "true or false" : "a whole number");
    }
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr) {
    if (const std::string type = after(text, " required "); type.find(" missing") != std::string::npos)
      return name + ": the value is missing; give " + name + " " + type.substr(0, type.find(" missing"));
    if (const std::string times = after(text, " required but received "); !times.empty())
      return name + " is given " + (times == "2" ? "twice" : times + " times") + "; give it once";
  }
  return text;
}

} // namespace

std::string commandLine(const CLI::App &app) {
  std::string text = app.get_name();
  for (const CLI::App *sub : app.get_subcommands())
    text += " " + sub->get_name();
  return text;
}

std::string usageProblem(const CLI::App &app, const CLI::ParseError &error, const std::vector<std::string> &words) {
  const std::string unknown = unknownOption(app, words);
  return unknown.empty() ? inOurWords(app, error) + "; " + commandLine(app) + " --help lists the arguments" : unknown;
}

} // namespace popscope
