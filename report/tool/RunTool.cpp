#include "report/tool/RunTool.hpp"

#include "base/Check.hpp"
#include "base/Environment.hpp"
#include "base/FileErrors.hpp"
#include "base/ShownText.hpp"
#include "base/TerminalText.hpp"
#include "base/Version.hpp"
#include "base/WholeFile.hpp"
#include "report/pop/MapFiles.hpp"
#include "report/tool/CommandLineText.hpp"
#include "report/tool/HelpText.hpp"
#include "report/tool/Pager.hpp"
#include "report/tool/UsageProblem.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <iostream>
#include <malloc.h>
#include <map>
#include <sstream>
#include <unistd.h>

namespace popscope {
namespace {

constexpr std::size_t kHelpColumns = 100; // used if neither a terminal nor COLUMNS determines the width

void printError(const std::string &tool, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' '); // a message can have several lines
  std::cerr << messageText(tool + ": " + boundedMessage(message)) << "\n";
}

} // namespace

int usageError(const std::string &tool, const std::string &message) {
  printError(tool, message);
  return kUnusable;
}

namespace {

/// Prints a text to standard output. Returns `code`, or kUnusable with a message if the text cannot be written.
int printed(const std::string &tool, const std::string &text, int code = kDone) {
  const std::string problem = writeOutput(text);
  return problem.empty() ? code : usageError(tool, problem);
}

} // namespace

Screen screenOf(const std::string &colour) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const std::optional<bool> wish = colour == "auto" ? std::nullopt : std::optional(colour != "never");
  Screen screen;
  screen.style = Style(decideColour(wish, terminal, environmentVariable));
  screen.columns = terminalColumns().value_or(screen.columns);
  return screen;
}

std::vector<std::string> wordsOf(int argc, char **argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool when = word == "auto" || word == "always" || word == "never";
    if (when && !words.empty() && (words.back() == "--color" || words.back() == "--colour"))
      words.back() += "=" + word;
    else
      words.push_back(word);
  }
  return words;
}

std::string versionOf(const std::string &tool) {
  return tool + versionForPeople().substr(std::string("Popscope").size()) +
         "\nPopscope follows the interface of Poplar " + kInterfaceVersion +
         "; profiles and poplar::versionString() name both versions: " + kVersionText + ".";
}

namespace {
/// Lets all options and arguments that name a file or a folder accept a leading ~, which a shell does not replace
/// inside quotes.
void takeHomePaths(CLI::App &app) {
  for (CLI::Option *option : app.get_options()) {
    const std::string whole = option->get_type_name(), type = whole.substr(0, whole.find(':')); // then its checks
    if (type == "FILE" || type == "DIR" || type == "PATH" || type == "CSV")
      option->transform(CLI::Validator(
          [](std::string &path) -> std::string {
            path = homePath(path);
            return path.empty() ? "an empty name is not allowed; leave it out, or name a file" : "";
          },
          ""));
  }
  for (CLI::App *sub : app.get_subcommands([](CLI::App *) { return true; }))
    takeHomePaths(*sub);
}
} // namespace

bool parseArguments(CLI::App &app, const std::vector<std::string> &words, int &exitCode) {
  takeHomePaths(app);
  const std::string only = words.size() == 1 ? words[0] : "";
  const std::size_t columns = screenOf("never").columns;
  setHelp(app, columns == 0 ? kHelpColumns : columns);
  app.footer(
      app.get_footer() + (app.get_footer().empty() ? "" : "\n") +
      "As the only word, --bash-completion, --zsh-completion and --fish-completion print a completion script, and "
      "--man prints a manual page.");
  const std::map<std::string, std::string (*)(const CLI::App &)> texts = {{"--bash-completion", bashCompletion},
                                                                          {"--zsh-completion", zshCompletion},
                                                                          {"--fish-completion", fishCompletion}};
  if (const auto text = texts.find(only); text != texts.end() || only == "--man") {
    exitCode = printed(app.get_name(), only == "--man" ? manPage(app, versionForPeople()) : text->second(app));
    return false;
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend())); // CLI11 takes them from the back
    return true;
  } catch (const CLI::Success &asked) { // --help, --version
    std::ostringstream out;
    const int code = app.exit(asked, out, out);
    exitCode = printed(commandLine(app), out.str(), code);
  } catch (const CLI::ParseError &e) {
    exitCode = usageError(commandLine(app), usageProblem(app, e, words));
  }
  return false;
}

namespace {

/// Keeps freed memory in the process: a tool ends soon, and memory that it returns would be requested again, page by
/// page.
void keepFreedMemory() {
#if defined(__GLIBC__)
  constexpr int kMiB = 1 << 20;
  mallopt(M_TRIM_THRESHOLD, 64 * kMiB);
  mallopt(M_MMAP_THRESHOLD, 8 * kMiB);
  mallopt(M_TOP_PAD, kMiB);
#endif
}

/// The text that the signal handler prints. It is prepared in advance, because a handler cannot format text.
std::array<char, 256> gCutShort; // NOLINT: a handler has no arguments

/// Ends the tool with a message if another program truncates a mapped profile, whose pages can then no longer be read.
void endWhenCutShort(const std::string &tool) {
  const std::string line = tool + ": a file was cut short while it was read: another program writes to it. Run the "
                                  "command again when that is done\n";
  line.copy(gCutShort.data(), gCutShort.size() - 1);
  struct sigaction action {};
  action.sa_handler = [](int) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, gCutShort.data(), std::strlen(gCutShort.data()));
    ::_exit(kUnusable);
  };
  sigaction(SIGBUS, &action, nullptr);
}

} // namespace

int runTool(const std::string &tool, const std::function<int(std::ostream &out)> &work, bool pager) {
  keepFreedMemory();
  mapProfiles();
  endWhenCutShort(tool);
  removeTemporaryFilesAtSignals();
  try {
    std::ostringstream out;
    const int code = work(out);
    if (pager && showInPager(out.str()))
      return code;
    return printed(tool, out.str(), code);
  } catch (const InternalError &e) {
    printError(tool, e.what());
    return kOurBug;
  } catch (const std::exception &e) {
    return usageError(tool, messageOf(e));
  }
}

} // namespace popscope
