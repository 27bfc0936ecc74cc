#include "report/tool/CommandLineText.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace popscope {
namespace {

std::vector<const CLI::App *> subcommands(const CLI::App &app) {
  return app.get_subcommands([](const CLI::App *) { return true; });
}
std::vector<const CLI::Option *> options(const CLI::App &app) {
  return app.get_options([](const CLI::Option *) { return true; });
}

/// "--a --b -c": what may be typed.
std::string words(const CLI::App &app) {
  std::string text;
  for (const CLI::Option *option : options(app)) {
    for (const auto &name : option->get_lnames())
      text += " --" + name;
    for (const auto &name : option->get_snames())
      text += " -" + name;
  }
  return text.empty() ? text : text.substr(1);
}

std::string roff(const std::string &text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '-')
      out += '\\';
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += "\\&";
    out += c;
  }
  return out;
}

std::string manOptions(const CLI::App &app) {
  std::string text;
  for (const CLI::Option *option : options(app)) {
    const std::string value = option->get_type_size() == 0 ? "" : " " + option->get_type_name();
    text += ".TP\n.B " + roff(option->get_name(true, true)) + roff(value) + "\n" + roff(option->get_description()) + "\n";
  }
  return text;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

} // namespace

std::string bashCompletion(const CLI::App &app) {
  const std::string name = app.get_name(), function = "_" + name + "_complete";
  std::string commands, cases;
  for (const CLI::App *sub : subcommands(app)) {
    commands += (commands.empty() ? "" : " ") + sub->get_name();
    cases += "    " + sub->get_name() + ") words=\"" + words(*sub) + "\" ;;\n";
  }
  std::string script = "# bash completion for " + name + "; made by: " + name + " --bash-completion\n" + function + "() {\n"
                       "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"" + words(app) + "\"\n";
  if (!commands.empty())
    script += "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
              "    COMPREPLY=($(compgen -W \"" + commands + " $words\" -- \"$current\"))\n    return\n  fi\n"
              "  case \"${COMP_WORDS[1]}\" in\n" + cases + "  esac\n";
  return script + "  if [[ \"$current\" == -* ]]; then\n"
                  "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                  "  else\n"
                  "    COMPREPLY=($(compgen -f -X '!*.pop' -- \"$current\") $(compgen -d -S / -- \"$current\"))\n"
                  "    compopt -o nospace 2>/dev/null\n"
                  "  fi\n}\ncomplete -F " + function + " " + name + "\n";
}

std::string manPage(const CLI::App &app, const std::string &version) {
  const auto subs = subcommands(app);
  std::string page = ".\\\" made by: " + app.get_name() + " --man\n.TH " + upper(app.get_name()) + " 1 \"\" \"" + version +
                     "\"\n.SH NAME\n" + app.get_name() + " \\- " + roff(app.get_description()) + "\n.SH SYNOPSIS\n.B " +
                     app.get_name() + "\n" + (subs.empty() ? "[options] FILE" : "COMMAND [options] ...") + "\n.SH OPTIONS\n" +
                     manOptions(app);
  if (!subs.empty())
    page += ".SH COMMANDS\n";
  for (const CLI::App *sub : subs)
    page += ".SS " + sub->get_name() + "\n" + roff(sub->get_description()) + "\n" + manOptions(*sub);
  return page + ".SH EXIT STATUS\n0 done; 1 a finding; 2 wrong usage or unusable input; 3 a fault of Popscope.\n"
                ".SH ENVIRONMENT\nCLICOLOR_FORCE=1 colours the output whatever else says; CLICOLOR=0 does not; NO_COLOR, not empty, "
                "does not where neither they nor an option decide.\n";
}

} // namespace popscope
