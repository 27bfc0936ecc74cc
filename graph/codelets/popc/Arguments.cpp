#include "graph/codelets/popc/Arguments.hpp"

#include "base/CommaList.hpp"
#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/JsonText.hpp"
#include "base/ReadNumber.hpp"
#include "base/TerminalText.hpp"
#include "target-models/model/Architectures.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace popscope {
namespace {

constexpr const char *kWhat =
    "popc compiles codelets, the C++ classes that run on the tiles of a machine, into a graph "
    "object (.gp) for Graph::addCodelets.";

/// Returns whether popc passes the word on to the compiler: -O3, -g, -Wall, -fno-builtin, -std=c++17, -march=x.
bool isCompilerFlag(const std::string &word) {
  for (const char *prefix : {"-O", "-W", "-f", "-m", "-std=", "-U", "-pedantic"})
    if (word.rfind(prefix, 0) == 0)
      return true;
  return word == "-g" || word.rfind("-g", 0) == 0 || word == "-w";
}

bool takesArgument(const std::string &word) {
  for (const char *flag : {"-D", "-I", "-U", "-include", "-isystem", "-iquote", "-Xclang"})
    if (word == flag)
      return true;
  return false;
}

struct Split {
  std::vector<std::string> own, compiler, targets;
};

/// Takes the compiler's flags out of the words, because CLI11 would read "-O3" as three options.
Split split(const std::vector<std::string> &words) {
  Split result;
  for (std::size_t i = 0; i != words.size(); ++i) {
    const std::string &word = words[i];
    // Build files of clients also write this option with one dash. CLI11 would split a JSON list.
    const std::size_t dashes = word.find_first_not_of('-');
    const bool isOption = dashes == 1 || dashes == 2;
    if (isOption && word.compare(dashes, 7, "target=") == 0) {
      result.targets.push_back(word.substr(dashes + 7));
    } else if (isOption && word.compare(dashes, std::string::npos, "target") == 0) {
      if (i + 1 == words.size())
        throw std::invalid_argument(word + " needs an argument");
      result.targets.push_back(words[++i]);
    } else if (takesArgument(word)) {
      if (i + 1 == words.size())
        throw std::invalid_argument(word + " needs an argument");
      result.compiler.push_back(word);
      result.compiler.push_back(words[++i]);
    } else if (word.rfind("-D", 0) == 0 || word.rfind("-I", 0) == 0 || isCompilerFlag(word))
      result.compiler.push_back(word);
    else
      result.own.push_back(word);
  }
  return result;
}

void checkArchitecture(const std::string &name) {
  if (findArchitecture(name) == nullptr)
    throw std::invalid_argument("unknown target '" + name + "'; the targets are " + architectureNames(true, "and"));
}

void add(PopcTarget target, std::vector<PopcTarget> &targets) {
  checkArchitecture(target.architecture);
  const auto sameName = [&](const PopcTarget &other) { return other.name == target.name; };
  const auto known = std::find_if(targets.begin(), targets.end(), sameName);
  if (known == targets.end())
    targets.push_back(std::move(target));
  else if (known->architecture != target.architecture || known->flags != target.flags)
    throw std::invalid_argument("--target names '" + target.name + "' twice, with different contents");
}

/// Adds the targets of a JSON list of names and of objects {"name", "arch", "compile-flags"}. Build files of large
/// libraries give such a list.
void addFromJson(const std::string &text, std::vector<PopcTarget> &targets) {
  using Json = nlohmann::json;
  const auto refuse = [&](const std::string &why) {
    throw std::invalid_argument(
        "--target " + text + ": " + why +
        "; give names separated by commas, or a JSON list of names and of objects with \"name\", \"arch\" and "
        "\"compile-flags\" (a list of strings)");
  };
  const Json list = jsonOf(text, 8);
  if (!list.is_array())
    refuse("it is not a JSON list");
  if (list.empty())
    refuse("the list is empty");
  for (const Json &entry : list) {
    PopcTarget target;
    if (entry.is_string()) {
      target.name = target.architecture = entry.get<std::string>();
    } else if (entry.is_object()) {
      for (const auto &[key, value] : entry.items()) {
        const bool isFlags = key == "compile-flags";
        if (!isFlags && key != "name" && key != "arch")
          refuse("an object has no \"" + key + "\"");
        const auto isString = [](const Json &one) { return one.is_string(); };
        if (isFlags ? !value.is_array() || !std::all_of(value.begin(), value.end(), isString) : !value.is_string())
          refuse("\"" + key + "\" has the wrong type");
      }
      if (!entry.contains("name"))
        refuse("an object lacks \"name\"");
      target.name = entry["name"].get<std::string>();
      target.architecture = entry.value("arch", target.name);
      target.flags = entry.value("compile-flags", std::vector<std::string>());
    } else {
      refuse("an entry is neither a string nor an object");
    }
    add(std::move(target), targets);
  }
}

std::vector<PopcTarget> readTargets(const std::vector<std::string> &given) {
  std::vector<PopcTarget> targets;
  for (const std::string &list : given) {
    if (list.find_first_not_of(" \t\n") != std::string::npos && list[list.find_first_not_of(" \t\n")] == '[') {
      addFromJson(list, targets);
      continue;
    }
    const std::vector<std::string> names = commaList(list);
    if (names.empty())
      throw std::invalid_argument("--target: the value is empty; leave the option out for all targets");
    for (const std::string &name : names)
      add({name, name, {}}, targets);
  }
  if (targets.empty())
    for (const Architecture &one : architectures())
      targets.push_back({one.name, one.name, {}});
  return targets;
}

void define(CLI::App &app, PopcArguments &arguments) {
  app.set_help_flag();
  app.add_flag("-h,--help", arguments.help, "Print this help and exit");
  app.add_option("-o,--output", arguments.output,
                 "Graph object (.gp) to write; required except with -E, -S and --emit-llvm")
      ->type_name("FILE")
      ->transform(homePath);
  app.add_option_function<std::string>(
         "--target", [](const std::string &) {}, // split() takes it
         "Targets separated by commas, or a JSON list of names and of objects with name, arch and compile-flags; "
         "default: all targets, or cpu with -E, -S, --emit-llvm and -c")
      ->type_name("TARGETS");
  app.add_option("-j,--jobs", arguments.jobs, "Number of sources to compile at a time; default: the number of cores")
      ->type_name("N")
      ->check([](const std::string &text) {
        constexpr NumberRange kJobs{0, 1U << 16};
        return readWhole(text, kJobs) ? "" : "\"" + text + "\" is not allowed; give " + describeRange(kJobs);
      })
      ->allow_extra_args(false);
  app.add_flag("--device-paths", arguments.devicePaths,
               "Define __IPU__ for IPU targets; a run then ends with an error at code that the host cannot execute");
  app.add_flag("--list-targets", arguments.listTargets, "Print the targets and exit");
  app.add_flag("--version", arguments.version, "Print the version and exit");
  app.add_flag("-v,--verbose", arguments.verbose,
               "Report each compilation, sources that cannot use float for half, and functions that no input defines");
  const auto show = [&](const char *names, CodeletView view, const char *help) {
    app.add_flag_callback(
        names,
        [&arguments, view] {
          if (arguments.view && *arguments.view != view)
            throw CLI::ValidationError("give one of -E, -S, --emit-llvm and -c");
          arguments.view = view;
        },
        help);
  };
  show("-E", CodeletView::Preprocessed, "Write the preprocessed source instead of a graph object");
  show("-S,--emit-asm", CodeletView::Assembly,
       "Write assembly: of the host for cpu, of the substitute instruction set for an IPU");
  show("--emit-llvm", CodeletView::LlvmIr, "Write LLVM IR for the same instruction set as -S");
  show("-c", CodeletView::Object, "Write an object file for the same instruction set as -S; needs -o");
  app.add_option("inputs", arguments.inputs,
                 "Codelet sources (.cpp, .cc, .cxx, .C, .c) and graph objects (.gp); popc skips assembly (.S, .s, .ll)")
      ->transform(homePath)
      ->type_name("FILE");
  app.footer("Examples:\n  popc codelets.cpp -o codelets.gp\n  popc --target ipu2 -O2 -DNDEBUG a.cpp b.cpp -o both.gp\n"
             "-E, -S, --emit-llvm and -c take one source and one target (default: cpu). Without -o, all but -c write "
             "to standard output.\n"
             "popc passes -D, -I, -U, -O, -g, -W, -w, -f, -m, -std=, -pedantic, -include, -isystem, -iquote and "
             "-Xclang to the compiler.");
}

/// Returns the first unknown word that looks like an option, with the nearest known option. Returns "" if all options
/// are known.
std::string unknownOption(const CLI::App &app, const std::vector<std::string> &words) {
  std::vector<std::string> known;
  for (const CLI::Option *option : app.get_options([](const CLI::Option *) { return true; })) {
    for (const std::string &name : option->get_lnames())
      known.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      known.push_back("-" + name);
  }
  for (const std::string &word : words) {
    const std::string name = word.substr(0, word.find('='));
    const bool isNumber = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
    if (word.size() > 1 && word[0] == '-' && !isNumber && std::find(known.begin(), known.end(), name) == known.end() &&
        (word[1] == '-' || std::find(known.begin(), known.end(), word.substr(0, 2)) == known.end()))
      return "unknown option \"" + name + "\"." + didYouMean(name, known) + " popc --help lists all";
  }
  return "";
}

/// Returns the message of the parser, which has no words of its own for an option that lacks its value or that is given
/// more than once.
std::string inOurWords(const CLI::ParseError &error) {
  const std::string text = error.what(), name = text.substr(0, text.find(':'));
  const std::string required = " required ", missing = " missing";
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) == nullptr)
    return text;
  if (!text.ends_with(missing))
    return name + " is given more than once; give it once";
  const std::size_t at = text.rfind(required) + required.size();
  return name + ": the value is missing; give " + name + " " + text.substr(at, text.size() - missing.size() - at);
}

} // namespace

PopcArguments parsePopcArguments(const std::vector<std::string> &words) {
  PopcArguments arguments;
  Split parts = split(words);
  const std::vector<std::string> own = parts.own;
  CLI::App app(kWhat, "popc");
  define(app, arguments);
  std::reverse(parts.own.begin(), parts.own.end()); // CLI11 takes the words from the back
  try {
    app.parse(parts.own);
  } catch (const CLI::ParseError &error) {
    const std::string unknown = unknownOption(app, own);
    throw std::invalid_argument(unknown.empty() ? inOurWords(error) + "; popc --help lists all options" : unknown);
  }
  if (arguments.view && parts.targets.empty())
    parts.targets.emplace_back("cpu");
  arguments.targets = readTargets(parts.targets);
  if (arguments.devicePaths)
    for (PopcTarget &target : arguments.targets)
      if (isIpuArchitecture(target.architecture))
        target.flags.insert(target.flags.begin(), "-D__IPU__");
  arguments.compilerFlags = parts.compiler;
  return arguments;
}

std::string popcHelp() {
  constexpr std::size_t kColumns = 100, kNames = 30; // the width without a terminal; the width of the column of names
  PopcArguments arguments;
  CLI::App app(kWhat, "popc");
  define(app, arguments);
  app.get_formatter()->column_width(kNames);
  const std::size_t columns = terminalColumns().value_or(kColumns);
  std::istringstream lines(app.help());
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t text = line.find_first_not_of(' ');
    const std::size_t at = text == 2 && line.size() > kNames && line.compare(0, 7, "  popc ") != 0 ? kNames : text;
    out += at == std::string::npos ? "" : line.substr(0, at) + wrapWords(line.substr(at), columns, at);
    out += "\n";
  }
  return out;
}

} // namespace popscope
