#include "report/tool/ViewCommand.hpp"

#include "base/ProgressBar.hpp"
#include "base/ReadNumber.hpp"
#include "report/answers/CompareAnswers.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/answers/UsualRows.hpp"
#include "report/tool/Arguments.hpp"
#include "report/tool/HelpText.hpp"

#include <CLI/CLI.hpp>

namespace popscope {
namespace {

struct Arguments {
  std::string other, argument;
  bool json = false, csv = false, markdown = false;
  Selection selection;
  std::map<std::string, std::string> values;
  std::map<std::string, bool> flags;
};

void addFormats(CLI::App &app, Arguments &a) {
  auto *json = app.add_flag("--json", a.json, "Print a JSON object");
  auto *csv = app.add_flag("--csv", a.csv, "Print the first table as comma-separated values")->excludes(json);
  app.add_flag("--markdown", a.markdown, "Print Markdown")->excludes(json)->excludes(csv);
}

void addSelection(CLI::App &app, const ViewRow &view, Selection &s) {
  const unsigned flags = view.flags;
  if ((flags & kCount) != 0) {
    CLI::Option *const usual = addWhole(
        app, "-n", s.count, {}, std::string("Rows of each table; 0 prints all; default ") + usualRows(view.name));
    CLI::Option *const other = addWhole(
        app, "-t", s.count, {}, std::string("Same as -n; default ") + usualRows(view.name)); // as in other analyzers
    other->excludes(usual);
    if (std::string(view.name) != "operators") // the table that those analyzers print; elsewhere hidden from --help
      other->group("");
  }
  for (const SelectionFlag &flag : selectionFlags())
    if ((flags & flag.flag) != 0) {
      auto *added = app.add_option(flag.name, s.*flag.text, flag.help)->type_name(flag.type);
      if (!flag.mayBeEmpty)
        added->check(notEmpty);
    }
}

/// Returns "; default cycles" for the help of an option, or "" if the option's own text states the default.
std::string defaultOf(const ViewOption &option) {
  const std::string help = option.help, usual = option.usual;
  return !usual.empty() ? "; default " + usual : help.find("default") == std::string::npos ? "; default none" : "";
}

void addOwn(CLI::App &app, const ViewRow &view, Arguments &a) {
  for (const ViewOption &option : view.options) {
    const std::string key = keyOf(option), usual = option.usual;
    if (*option.type == '\0') {
      app.add_flag(option.name, a.flags[key], option.help);
      continue;
    }
    a.values[key] = usual;
    std::string type; // the allowed values, if known: help and completion show them
    for (const char *value : option.values)
      type += (type.empty() ? "" : "|") + std::string(value);
    if (type.empty() || option.type == std::string("FILE"))
      type += (type.empty() ? "" : "|") + std::string(option.type);
    auto *added = app.add_option(option.name, a.values[key], std::string(option.help) + defaultOf(option))
                      ->type_name(type)
                      ->check([&option](const std::string &text) { return problemOf(option, text); });
    if (option.isList)
      added->delimiter(',')->multi_option_policy(CLI::MultiOptionPolicy::Join);
  }
}

pva::Report openWithDebug(const std::string &path) {
  const std::string debug = debugFileOf(path);
  return debug.empty() ? pva::openReport(path) : pva::openReport(path, debug);
}

/// Throws a usage error if the user requests two formats that the parser does not exclude.
void checkFormats(const Arguments &a) {
  int asked = (a.json ? 1 : 0) + (a.csv ? 1 : 0) + (a.markdown ? 1 : 0);
  for (const char *format : {"junit", "sarif"})
    if (const auto flag = a.flags.find(format); flag != a.flags.end() && flag->second)
      ++asked;
  if (asked > 1)
    throw AnswerError("one format at a time: --json, --csv, --markdown, --junit or --sarif");
}

int print(std::ostream &out, const Rows &rows, const Arguments &a, const Screen &screen) {
  const auto flag = [&](const char *name) {
    const auto found = a.flags.find(name);
    return found != a.flags.end() && found->second;
  };
  if (a.json)
    out << toJson(rows);
  else if (flag("junit"))
    out << toJunit(rows);
  else if (flag("sarif"))
    out << toSarif(rows);
  else if (a.csv)
    out << toCsv(rows);
  else if (a.markdown)
    out << toMarkdown(rows);
  else
    printText(out, rows, screen.style, screen.columns);
  return rows.finding ? kFinding : kDone;
}

} // namespace

CommandAction makeViewCommand(CLI::App &app, const ViewRow &view) {
  const auto path = view.folder ? folderArgument(app) : profileArgument(app, *view.alone == '\0');
  const auto a = std::make_shared<Arguments>();
  if (view.twoProfiles)
    app.add_option("other", a->other, "Profile to compare with the first profile")->required()->type_name("FILE");
  if (const std::string argument = view.argument; !argument.empty())
    app.add_option("argument", a->argument, view.argumentHelp)->required(argument[0] != '[')->type_name(argument);
  addOwn(app, view, *a);
  addSelection(app, view, a->selection);
  addFormats(app, *a);
  return [path, a, &view, usage = usageOf(app)](std::ostream &out, const Screen &screen) {
    checkFormats(*a);
    Request request;
    const std::string alone = view.alone;
    if (path->empty() && !a->flags[alone.substr(std::min<std::size_t>(2, alone.size()))])
      throw AnswerError("a profile is missing; usage: " + usage + "; popscope " + view.name +
                        " --help lists the arguments");
    if (!path->empty() && !view.folder)
      request.report = openWithDebug(*path);
    request.profile = *path;
    if (view.twoProfiles) {
      request.other = openWithDebug(a->other);
      request.otherProfile = a->other;
    }
    request.argument = a->argument;
    ProgressBar bar;
    request.progress = [&bar](const char *phase, std::uint64_t done, std::uint64_t all) { bar.show(phase, done, all); };
    request.selection = a->selection;
    request.columns = screen.columns;
    request.options = a->values;
    for (const auto &flag : a->flags)
      request.options[flag.first] = flag.second ? "true" : "";
    const auto baseline = a->values.find("baseline");
    const bool compares = view.twoProfiles || (baseline != a->values.end() && !baseline->second.empty());
    if (compares)
      ofProfile(*path, [&] { checkSelection(request.report, request.selection); });
    else if (!view.folder && !path->empty())
      checkSelection(request.report, request.selection);
    if (request.other)
      ofProfile(a->other, [&] { checkCompared(*request.other, request.selection); });
    const Rows rows = view.collect(request);
    bar.clear();
    return print(out, rows, *a, screen);
  };
}

} // namespace popscope
