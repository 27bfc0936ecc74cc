#include "report/tool/HelpText.hpp"

#include "base/TerminalText.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <sstream>
#include <vector>

namespace popscope {
namespace {

constexpr std::size_t kMaxFirst = 28; // characters of a name; a longer name has a line of its own

using Names = std::vector<std::string>;

struct Line {
  std::string name, help;
};

/// Breaks a name that lists many values, such as "--of steps|tiles|...", after the bars, to fit into `columns`.
std::string breakName(const std::string &name, std::size_t columns) {
  const std::size_t indent = 2 + name.find(' ') + 1;
  std::string out, line;
  for (std::size_t from = 0, to = 0; from != name.size(); from = to) {
    to = std::min(name.find('|', from), name.size() - 1) + 1;
    if (!line.empty() && (out.empty() ? 2 : indent) + line.size() + to - from > columns) {
      out += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += name.substr(from, to - from);
  }
  return out + line;
}

/// Formats `lines` as two columns under a heading; returns "" if there are no lines.
std::string part(const std::string &heading, const std::vector<Line> &lines, std::size_t columns) {
  std::size_t width = 0;
  for (const Line &line : lines)
    if (line.name.size() <= kMaxFirst)
      width = std::max(width, line.name.size());
  const std::size_t at = 2 + width + 2;
  std::string out = lines.empty() ? "" : "\n" + heading + "\n";
  for (const Line &line : lines) {
    const bool beside = line.name.size() <= width;
    out += "  " + breakName(line.name, columns) +
           (line.help.empty() ? ""
            : beside          ? std::string(at - 2 - line.name.size(), ' ')
                              : "\n" + std::string(at, ' ')) +
           wrapWords(line.help, columns, at) + "\n";
  }
  return out;
}

/// Returns whether the option is a flag without a value; its help does not state a default.
bool isSwitch(const CLI::Option &option) {
  return option.get_expected_min() == 0 && !option.get_positional() && option.get_lnames() != Names{"help"} &&
         option.get_lnames() != Names{"version"} && option.get_description().find("efault") == std::string::npos;
}

Line lineOf(const CLI::Option &option, bool positional) {
  const bool value = option.get_type_size() != 0 && !option.get_type_name().empty();
  std::string name = option.get_name(positional, true);
  if (positional)
    name = option.get_type_name().empty() ? option.get_name(true) : option.get_type_name();
  else if (value && option.get_expected_min() != 0)
    name += " " + option.get_type_name();
  return {name, option.get_description() +
                    (!positional && !option.get_positional() && option.get_required() ? "; required" : "")};
}

std::string usage(const CLI::App &app) {
  std::string text = app.get_name();
  for (const CLI::App *parent = app.get_parent(); parent != nullptr; parent = parent->get_parent())
    text = parent->get_name() + " " + text;
  if (!app.get_subcommands([](const CLI::App *) { return true; }).empty())
    return text + " COMMAND [OPTIONS] ...";
  text += " [OPTIONS]";
  for (const CLI::Option *option : app.get_options([](const CLI::Option *o) { return o->get_positional(); })) {
    const std::string name = lineOf(*option, true).name;
    const bool bracketed = name.front() == '[' || option->get_required();
    text += " " + (bracketed ? name : "[" + name + "]");
  }
  return text;
}

/// Wraps paragraphs and keeps indented lines, such as examples, as they are.
std::string footer(const std::string &text, std::size_t columns) {
  std::istringstream lines(text);
  std::string out = text.empty() ? "" : "\n";
  for (std::string line; std::getline(lines, line);)
    out += (line.rfind("  ", 0) == 0 ? line : wrapWords(line, columns, 0)) + "\n";
  return out;
}

class Formatter : public CLI::Formatter {
public:
  explicit Formatter(std::size_t columns) : columns_(columns) {}
  std::string make_help(const CLI::App *app, std::string, CLI::AppFormatMode) const override {
    return helpText(*app, columns_);
  }

private:
  std::size_t columns_;
};

} // namespace

std::string usageOf(const CLI::App &app) { return usage(app); }

std::string helpText(const CLI::App &app, std::size_t columns) {
  std::string out =
      wrapWords(app.get_description(), columns, 0) + "\n\nUsage: " + wrapWords(usage(app), columns, 7) + "\n";
  std::vector<Line> positionals, options;
  bool switches = false;
  for (const CLI::Option *option : app.get_options([](const CLI::Option *o) { return !o->get_group().empty(); })) {
    switches = switches || isSwitch(*option);
    const bool both = option->get_positional() && !option->nonpositional();
    (both ? positionals : options).push_back(lineOf(*option, both));
  }
  out += part("Arguments:", positionals, columns) + part("Options:", options, columns);
  if (switches)
    out += "Flags without a value are off by default.\n";
  const auto subs = app.get_subcommands([](const CLI::App *) { return true; });
  std::vector<std::string> groups; // in the order of their first command
  for (const CLI::App *sub : subs)
    if (std::find(groups.begin(), groups.end(), sub->get_group()) == groups.end())
      groups.push_back(sub->get_group());
  if (!groups.empty())
    out += "\nSubcommands:\n";
  for (const std::string &group : groups) {
    std::vector<Line> lines;
    for (const CLI::App *sub : subs)
      if (sub->get_group() == group)
        lines.push_back({sub->get_name(), sub->get_description()});
    out += part(group, lines, columns);
  }
  return out + footer(app.get_footer(), columns);
}

void setHelp(CLI::App &app, std::size_t columns) {
  app.formatter(std::make_shared<Formatter>(columns));
  for (CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; }))
    setHelp(*sub, columns);
}

} // namespace popscope
