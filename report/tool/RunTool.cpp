#include "report/tool/RunTool.hpp"

#include "base/Check.hpp"
#include "base/Version.hpp"
#include "report/tool/CommandLineText.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

namespace popscope {
namespace {

constexpr int kUnusable = 2, kOurBug = 3;

void printError(const std::string &tool, std::string message) {
  std::replace_if(message.begin(), message.end(), [](unsigned char c) { return c < ' '; }, ' ');
  std::cerr << tool << ": " << message << "\n";
}

std::string commandLine(const CLI::App &app) {
  std::string text = app.get_name();
  for (const CLI::App *sub : app.get_subcommands())
    text += " " + sub->get_name();
  return text;
}

} // namespace

int usageError(const std::string &tool, const std::string &message) {
  printError(tool, message);
  return kUnusable;
}

bool parseArguments(CLI::App &app, int argc, char **argv, int &exitCode) {
  const std::string only = argc == 2 ? argv[1] : "";
  app.footer("--bash-completion and --man, alone, print a script for bash and a manual page.");
  if (only == "--bash-completion" || only == "--man") {
    std::cout << (only == "--man" ? manPage(app, kVersionText) : bashCompletion(app)) << std::flush;
    exitCode = std::cout ? 0 : kUnusable;
    return false;
  }
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::Success &asked) { // --help, --version
    exitCode = app.exit(asked);
  } catch (const CLI::ParseError &e) {
    const std::string command = commandLine(app);
    exitCode = usageError(command, std::string(e.what()) + "; " + command + " --help tells the arguments");
  }
  return false;
}

int runTool(const std::string &tool, const std::function<void(std::ostream &out)> &work) {
  try {
    std::ostringstream out;
    work(out);
    std::cout << out.str() << std::flush;
    return std::cout ? 0 : usageError(tool, "the output cannot be written");
  } catch (const InternalError &e) {
    printError(tool, e.what());
    return kOurBug;
  } catch (const std::exception &e) {
    return usageError(tool, e.what());
  }
}

} // namespace popscope
