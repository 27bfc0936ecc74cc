#include "graph/codelets/CompilerFacts.hpp"

#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/Process.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>

namespace popscope {
namespace {

/// Returns the command of a linker. gold, if installed, takes a third of the time of the default linker of binutils.
std::vector<std::string> askLinkCommand(const std::string &compiler) {
  for (const bool gold : {true, false}) {
    std::vector<std::string> words = driverLinkCommand(compiler);
    if (gold) // gold writes the output's path into the library, unless the library has a name
      words.insert(words.end(), {"-fuse-ld=gold", "-Wl,-soname,codelets.so"});
    words.insert(words.end(), {"-o", kLinkedOutput, kLinkedObjects});
    const std::vector<std::string> command = driversCommand(words);
    if (std::count(command.begin(), command.end(), kLinkedObjects) == 1 &&
        std::count(command.begin(), command.end(), kLinkedOutput) == 1)
      return command;
  }
  return {};
}

/// Reads the list between "#include <...> search starts here:" and "End of search list."; each line begins with a
/// blank.
CompilerFacts ask(const std::string &compiler) {
  const ProcessResult listed = runProcess({compiler, "-E", "-v", "-x", "c++", "/dev/null"});
  std::istringstream in(listed.errors);
  CompilerFacts facts;
  bool inList = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("#include <", 0) == 0)
      inList = true;
    else if (line.rfind("End of search", 0) == 0)
      inList = false;
    else if (inList && line.rfind(' ', 0) == 0 && std::filesystem::is_directory(line.substr(1)))
      facts.systemFolders.push_back(line.substr(1));
  }
  facts.link = askLinkCommand(compiler);
  return facts;
}

} // namespace

std::vector<std::string> driversCommand(std::vector<std::string> words) {
  words.emplace_back("-###");
  const ProcessResult told = runProcess(words);
  std::istringstream in(told.errors);
  std::vector<std::string> command;
  unsigned commands = 0;
  for (std::string line; std::getline(in, line);)
    if (line.rfind(" \"", 0) == 0) {
      command = splitFlags(line);
      ++commands;
    }
  return told.exitCode == 0 && commands == 1 ? command : std::vector<std::string>();
}

std::vector<std::string> driverLinkCommand(const std::string &compiler) {
  return {compiler,         "-shared",           "-Wl,-z,defs",      "-Wl,-z,muldefs",
          "-Wl,-Bsymbolic", "-Wl,--gc-sections", "-Wl,--no-demangle"};
}

const CompilerFacts &compilerFacts(const std::string &compiler) {
  // A cache of facts about the system. The facts are the same for all callers.
  static std::mutex mutex;
  static std::map<std::string, CompilerFacts> known;
  const std::string identity = compiler + " " + programIdentity(compiler);
  const std::lock_guard<std::mutex> lock(mutex);
  const auto at = known.find(identity);
  return at != known.end() ? at->second : known.emplace(identity, ask(compiler)).first->second;
}

} // namespace popscope
