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

/// Returns the allowed values of an option whose type lists them: "a|b|c".
std::vector<std::string> valuesOf(const CLI::Option &option) {
  const std::string type = option.get_type_size() == 0 ? "" : option.get_type_name();
  std::vector<std::string> values;
  if (type.find('|') == std::string::npos)
    return values;
  for (std::size_t at = 0; at <= type.size();) {
    const std::size_t end = std::min(type.find('|', at), type.size());
    values.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return values;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const auto &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Returns the text for use inside single quotes of a shell.
std::string inQuotes(const std::string &text) {
  std::string out;
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

/// Returns the options that a user can type: "--a --b -c".
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
    text +=
        ".TP\n.B " + roff(option->get_name(true, true)) + roff(value) + "\n" + roff(option->get_description()) + "\n";
  }
  return text;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

} // namespace

// Writes a function for bash with three tables: the values of options that take one of a few words, the flags of each
// command, and the commands. Anything else completes to profiles and folders.
std::string bashCompletion(const CLI::App &app) {
  const std::string &name = app.get_name();
  const std::string function = "_" + name + "_complete";
  std::string commands, cases, given;
  for (const CLI::App *sub : subcommands(app)) {
    commands += (commands.empty() ? "" : " ") + sub->get_name();
    cases += "    " + sub->get_name() + ") words=\"" + words(*sub) + "\" ;;\n";
    for (const CLI::Option *option : options(*sub)) // one line for each name
      if (const auto values = valuesOf(*option); !values.empty())
        for (const auto &word : option->get_lnames())
          given += "    " + sub->get_name() + ":--" + word + ") COMPREPLY=($(compgen -W \"" + joined(values) +
                   "\" -- \"$current\")); return ;;\n";
  }
  std::string script = "# bash completion for " + name + "; made by: " + name + " --bash-completion\n" + function +
                       "() {\n"
                       "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"" +
                       words(app) + "\"\n";
  if (!commands.empty())
    script += "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
              "    COMPREPLY=($(compgen -W \"" +
              commands +
              " $words\" -- \"$current\"))\n    return\n  fi\n"
              "  case \"${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
              given +
              "  esac\n"
              "  case \"${COMP_WORDS[1]}\" in\n" +
              cases + "  esac\n";
  return script +
         "  if [[ \"$current\" == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -X '!*.pop' -- \"$current\") $(compgen -d -S / -- \"$current\"))\n"
         "    compopt -o nospace 2>/dev/null\n"
         "  fi\n}\ncomplete -F " +
         function + " " + name + "\n";
}

namespace {

/// Returns one line per name of an option for _arguments: '--of[help]:KIND:(a b)'. Escapes brackets in the help,
/// because a bracket would end the help.
std::string zshOptions(const CLI::App &app) {
  std::string text;
  for (const CLI::Option *option : options(app)) {
    std::vector<std::string> names;
    for (const auto &name : option->get_lnames())
      names.push_back("--" + name);
    for (const auto &name : option->get_snames())
      names.push_back("-" + name);
    std::string help;
    for (const char c : option->get_description())
      help += c == '[' || c == ']' || c == ':' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    const auto values = valuesOf(*option);
    const std::string argument = option->get_type_size() == 0 || option->get_expected_min() == 0
                                     ? ""
                                     : ":value:" + (values.empty() ? "_files" : "(" + joined(values) + ")");
    for (const auto &name : names)
      text += " \\\n      '" + inQuotes(name + "[" + help + "]" + argument) + "'";
  }
  return text;
}

} // namespace

std::string zshCompletion(const CLI::App &app) {
  const std::string &name = app.get_name();
  const std::string files = " \\\n      '*:file:_files -g \"*.pop(-.)\"'";
  std::string text = "#compdef " + name + "\n# made by: " + name + " --zsh-completion\n_" + name + "() {\n";
  const auto subs = subcommands(app);
  if (subs.empty())
    return text + "  _arguments" + zshOptions(app) + files + "\n}\n_" + name + " \"$@\"\n";
  text += "  local -a commands=(\n";
  for (const CLI::App *sub : subs)
    text += "    '" + inQuotes(sub->get_name() + ":" + sub->get_description()) + "'\n";
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _files -g '*.pop(-.)'\n    return\n "
          " fi\n"
          "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CLI::App *sub : subs)
    text += "    " + sub->get_name() + ") _arguments" + zshOptions(*sub) + files + " ;;\n";
  return text + "    *) _files -g '*.pop(-.)' ;;\n  esac\n}\n_" + name + " \"$@\"\n";
}

std::string fishCompletion(const CLI::App &app) {
  const std::string &name = app.get_name();
  const std::string start = "complete -c " + name;
  std::string text =
      "# made by: " + name + " --fish-completion\n" + start + " -f\n" + start + " -a '(__fish_complete_suffix .pop)'\n";
  const auto add = [&](const CLI::App &of, const std::string &when) {
    for (const CLI::Option *option : options(of)) {
      text += start + when;
      for (const auto &word : option->get_lnames())
        text += " -l " + word;
      for (const auto &word : option->get_snames())
        text += " -s " + word;
      if (const auto values = valuesOf(*option); !values.empty())
        text += " -x -a '" + joined(values) + "'";
      else if (option->get_type_size() != 0 && option->get_expected_min() != 0)
        text += " -r";
      text += " -d '" + inQuotes(option->get_description()) + "'\n";
    }
  };
  const auto subs = subcommands(app);
  add(app, subs.empty() ? "" : " -n __fish_use_subcommand");
  for (const CLI::App *sub : subs)
    text +=
        start + " -n __fish_use_subcommand -a " + sub->get_name() + " -d '" + inQuotes(sub->get_description()) + "'\n";
  for (const CLI::App *sub : subs)
    add(*sub, " -n '__fish_seen_subcommand_from " + sub->get_name() + "'");
  return text;
}

namespace {

/// Returns what the tool does as a phrase, for the line that whatis and apropos read: the first sentence of the
/// description up to a colon, without the tool's name and the full stop.
std::string purpose(const CLI::App &app) {
  const std::string whole = app.get_description();
  std::string text = whole.substr(0, std::min(whole.find(". "), whole.find(": ")));
  if (text.starts_with(app.get_name() + " "))
    text.erase(0, app.get_name().size() + 1);
  return text;
}

} // namespace

std::string manPage(const CLI::App &app, const std::string &version) {
  const auto subs = subcommands(app);
  std::string page = ".\\\" made by: " + app.get_name() + " --man\n.TH " + upper(app.get_name()) + " 1 \"\" \"" +
                     version + "\"\n.SH NAME\n" + app.get_name() + " \\- " + roff(purpose(app)) +
                     "\n.SH SYNOPSIS\n.B " + app.get_name() + "\n" +
                     (subs.empty() ? "[options] FILE" : "COMMAND [options] ...") + "\n.SH DESCRIPTION\n" +
                     roff(app.get_description()) + "\n.SH OPTIONS\n" + manOptions(app);
  if (!subs.empty())
    page += ".SH COMMANDS\n";
  for (const CLI::App *sub : subs)
    page += ".SS " + sub->get_name() + "\n" + roff(sub->get_description()) + "\n" + manOptions(*sub) +
            (sub->get_footer().empty() ? "" : ".PP\n.nf\n" + roff(sub->get_footer()) + "\n.fi\n");
  return page + ".SH EXIT STATUS\n0 done; 1 a finding; 2 wrong usage or unusable input; 3 a fault of Popscope.\n"
                ".SH ENVIRONMENT\nCLICOLOR_FORCE=1 turns colours on and takes precedence over all other settings. "
                "CLICOLOR=0 turns colours off and takes precedence over options. NO_COLOR, if not empty, turns colours "
                "off if neither these variables nor an option decides.\n";
}

} // namespace popscope
