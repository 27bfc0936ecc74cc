#include "report/tool/CommandLineText.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>

namespace popscope {
namespace {

std::vector<const CLI::App *> subcommands(const CLI::App &app) {
  return app.get_subcommands([](const CLI::App *) { return true; });
}
std::vector<const CLI::Option *> options(const CLI::App &app) {
  return app.get_options([](const CLI::Option *) { return true; });
}

/// The values that a shell can offer for an option or argument.
struct Values {
  std::vector<std::string> words;
  bool files = false, profiles = false; // `profiles`: profiles (*.pop) and folders
  bool isList = false;                  // the value is a list of words with commas
};

/// Returns the values of an option or argument by its type. The type lists words ("a|b|c") and names other values in
/// capital letters ("FILE"). Names such as "PATTERN" stand for values that no shell knows.
Values valuesOf(const CLI::Option &option) {
  const std::string whole = option.get_type_name(), type = whole.substr(0, whole.find(':')); // then its checks
  Values values;
  values.isList = option.get_delimiter() == ',';
  for (std::size_t at = 0; at < type.size();) {
    const std::size_t end = std::min(type.find('|', at), type.size());
    const std::string word = type.substr(at, end - at);
    if (std::islower(static_cast<unsigned char>(word.front())) != 0)
      values.words.push_back(word);
    else if (option.get_positional() && (word == "FILE" || word == "DIR"))
      values.profiles = true;
    else
      values.files = values.files || word == "FILE" || word == "DIR" || word == "PATH" || word == "CSV" ||
                     word == "WORDS" || word == "-- PROGRAM";
    at = end + 1;
  }
  return values;
}

bool takesValue(const CLI::Option &option) { return option.get_expected_max() != 0; }
/// Returns whether the option is a flag that can have a value, such as --color.
bool hasOptionalValue(const CLI::Option &option) {
  return option.get_expected_min() == 0 && !valuesOf(option).words.empty();
}

std::vector<const CLI::Option *> positionals(const CLI::App &app) {
  return app.get_options([](const CLI::Option *option) { return option->get_positional(); });
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

/// Returns the words as the text of a shell: "a b".
std::string bashWords(const std::vector<std::string> &words) { return "\"" + joined(words) + "\""; }

/// Returns the calls of bash functions that offer the values, or ":" if there are no values. `start`: the start of the
/// functions' names.
std::string bashOffer(const Values &values, const std::string &start) {
  std::string text;
  if (!values.words.empty())
    text += start + (values.isList ? "list " : "words ") + bashWords(values.words) + "; ";
  if (values.files)
    text += start + "files; ";
  if (values.profiles)
    text += start + "profiles; ";
  return text.empty() ? ":" : text.substr(0, text.size() - 2);
}

/// Returns the names of the option, each with its dashes.
std::vector<std::string> namesOf(const CLI::Option &option) {
  std::vector<std::string> names;
  for (const auto &name : option.get_lnames())
    names.push_back("--" + name);
  for (const auto &name : option.get_snames())
    names.push_back("-" + name);
  return names;
}

/// The tables of the function for bash. Each entry is a branch of a case statement.
struct BashTables {
  std::string given;     // by "COMMAND:OPTION": the values of the option
  std::string flags;     // by COMMAND: its flags, and those of them that take a value
  std::string arguments; // by "COMMAND:N": the values of argument N, from 0
};

void addTo(BashTables &tables, const CLI::App &app, const std::string &command, const std::string &start) {
  std::string valued;
  for (const CLI::Option *option : options(app)) {
    const Values values = valuesOf(*option);
    if (!takesValue(*option) && !hasOptionalValue(*option))
      continue;
    for (const std::string &name : namesOf(*option)) {
      valued += " " + name;
      tables.given += "    " + command + ":" + name + ") " + bashOffer(values, start) +
                      (hasOptionalValue(*option) ? "; [ ${#COMPREPLY[@]} -gt 0 ] && return ;;\n" : "; return ;;\n");
    }
  }
  tables.flags +=
      "    " + (command.empty() ? "''" : command) + ") words=\"" + words(app) + "\" valued=\"" + valued + " \" ;;\n";
  std::size_t at = 0;
  for (const CLI::Option *argument : positionals(app)) {
    const bool isLast = argument->get_items_expected_max() > 1;
    tables.arguments += "    " + command + ":" + (isLast ? "*" : std::to_string(at++)) + ") " +
                        bashOffer(valuesOf(*argument), start) + " ;;\n";
  }
}

} // namespace

// Writes a function for bash with the tables of BashTables. COMP_WORDS has "=" as a word of its own.
std::string bashCompletion(const CLI::App &app) {
  const std::string &name = app.get_name(), start = "_" + name + "_", function = start + "complete";
  const bool hasCommands = !subcommands(app).empty();
  BashTables tables;
  std::vector<std::string> commands;
  for (const CLI::App *sub : subcommands(app)) {
    commands.push_back(sub->get_name());
    addTo(tables, *sub, sub->get_name(), start);
  }
  if (!hasCommands)
    addTo(tables, app, "", start);
  std::string script =
      "# bash completion for " + name + "; made by: " + name + " --bash-completion\n" + start +
      "words() { COMPREPLY+=($(compgen -W \"$1\" -- \"$current\")); }\n" + start +
      "list() {\n"
      "  local head=\"${current%\"${current##*,}\"}\"\n"
      "  COMPREPLY+=($(compgen -P \"$head\" -W \"$1\" -- \"${current##*,}\"))\n"
      "  compopt -o nospace 2>/dev/null\n"
      "}\n" +
      start + "files() { COMPREPLY+=($(compgen -f -- \"$current\")); compopt -o filenames 2>/dev/null; }\n" + start +
      "profiles() {\n"
      "  COMPREPLY+=($(compgen -f -X '!*.pop' -- \"$current\") $(compgen -d -S / -- \"$current\"))\n"
      "  compopt -o nospace 2>/dev/null\n"
      "}\n" +
      function +
      "() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  local command= at=0 first=1 i valued= words=\"" +
      words(app) +
      "\"\n"
      "  COMPREPLY=()\n"
      "  [ \"$current\" = = ] && current=\n"
      "  [ \"$before\" = = ] && before=\"${COMP_WORDS[COMP_CWORD-2]}\"\n";
  if (hasCommands)
    script += "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    " + start + "words \"" + joined(commands) +
              " $words\"\n    return\n  fi\n  command=\"${COMP_WORDS[1]}\" first=2\n";
  script += "  case \"$command\" in\n" + tables.flags + "  esac\n  case \"$command:$before\" in\n" + tables.given +
            "  esac\n  if [[ \"$current\" == -* ]]; then\n    " + start +
            "words \"$words\"\n    return\n  fi\n"
            "  for ((i = first; i < COMP_CWORD; ++i)); do\n"
            "    case \"${COMP_WORDS[i]}\" in\n"
            "      =) ((++i)) ;;\n"
            "      -*) [[ \"$valued\" == *\" ${COMP_WORDS[i]} \"* && \"${COMP_WORDS[i+1]}\" != = ]] && ((++i)) ;;\n"
            "      *) ((++at)) ;;\n"
            "    esac\n"
            "  done\n"
            "  case \"$command:$at\" in\n" +
            tables.arguments;
  if (hasCommands)
    script += "    help:0) " + start + "words " + bashWords(commands) + " ;;\n";
  return script + "  esac\n}\ncomplete -F " + function + " " + name + "\n";
}

namespace {

/// Returns the action of _arguments that offers the values, or a blank if there are no values.
std::string zshOffer(const Values &values) {
  const bool any = !values.words.empty();
  if (values.files && any)
    return "{compadd " + joined(values.words) + "; _files}";
  return values.files ? "_files" : any ? "(" + joined(values.words) + ")" : " ";
}

/// Returns one line per argument whose values are words: '1:value:(a b)'.
std::string zshArguments(const CLI::App &app) {
  std::string text;
  const auto all = positionals(app);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const Values values = valuesOf(*all[i]); !values.words.empty())
      text += " \\\n      '" + std::to_string(i + 1) + ":value:" + zshOffer(values) + "'";
  return text;
}

/// Returns one line per name of an option for _arguments: '--of[help]:KIND:(a b)'. Escapes brackets in the help,
/// because a bracket would end the help.
std::string zshOptions(const CLI::App &app) {
  std::string text;
  for (const CLI::Option *option : options(app)) {
    const std::vector<std::string> names = namesOf(*option);
    std::string help;
    for (const char c : option->get_description())
      help += c == '[' || c == ']' || c == ':' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    const std::string argument =
        !takesValue(*option) || option->get_expected_min() == 0 ? "" : ":value:" + zshOffer(valuesOf(*option));
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
    text += "    " + sub->get_name() + ") _arguments" + zshOptions(*sub) + zshArguments(*sub) + files + " ;;\n";
  return text + "    help) _describe command commands ;;\n    *) _files -g '*.pop(-.)' ;;\n  esac\n}\n_" + name +
         " \"$@\"\n";
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
      if (const Values values = valuesOf(*option); takesValue(*option) && option->get_expected_min() != 0)
        text += (values.files ? " -r -F" : " -x") +
                (values.words.empty() ? std::string() : " -a '" + joined(values.words) + "'");
      text += " -d '" + inQuotes(option->get_description()) + "'\n";
    }
  };
  const auto subs = subcommands(app);
  add(app, subs.empty() ? "" : " -n __fish_use_subcommand");
  for (const CLI::App *sub : subs)
    text +=
        start + " -n __fish_use_subcommand -a " + sub->get_name() + " -d '" + inQuotes(sub->get_description()) + "'\n";
  std::string names;
  for (const CLI::App *sub : subs) {
    const std::string when = " -n '__fish_seen_subcommand_from " + sub->get_name() + "'";
    add(*sub, when);
    for (const CLI::Option *argument : positionals(*sub))
      if (const Values values = valuesOf(*argument); !values.words.empty())
        text += start + when + " -a '" + joined(values.words) + "'\n";
    names += (names.empty() ? "" : " ") + sub->get_name();
  }
  return subs.empty() ? text : text + start + " -n '__fish_seen_subcommand_from help' -a '" + names + "'\n";
}

namespace {

/// Returns a phrase that states what the tool does, for the line that whatis and apropos read. The phrase is the first
/// sentence of the description up to a colon, without the tool's name and the full stop.
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
