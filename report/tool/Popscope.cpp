#include "base/Environment.hpp"
#include "report/tool/ParseCommand.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Runs `python3 -m popscope` in place of this process. Puts the folder of this build's or installation's package first
/// in PYTHONPATH. Returns an exit code only if python3 cannot be started.
int runInPython(Words words) {
  std::error_code ignored;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  for (const fs::path &folder : {prefix / "lib" / "python", prefix / "python", prefix.parent_path().parent_path()})
    if (fs::exists(folder / "popscope" / "__main__.py", ignored)) {
      const auto known = popscope::environmentVariable("PYTHONPATH");
      setenv("PYTHONPATH", (folder.string() + (known ? ":" + *known : "")).c_str(), 1);
      break;
    }
  const std::string name = words[0];
  words.insert(words.begin(), {"python3", "-m", "popscope"});
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return popscope::usageError("popscope " + name,
                              std::string("python3 cannot be started: ") + std::strerror(errno) +
                                  "; install python3 and the Python package popscope (docs/PYTHON.md)");
}

} // namespace

int main(int argc, char **argv) {
  const Words words = popscope::withoutAbbreviations(popscope::wordsOf(argc, argv));
  if (popscope::isPythonCommand(words))
    return runInPython(words);
  int exitCode = 0;
  const std::optional<popscope::ParsedCommand> parsed = popscope::parseCommand(words, exitCode);
  if (!parsed)
    return exitCode;
  return popscope::runTool(
      parsed->name, [&](std::ostream &out) { return parsed->action(out, popscope::screenOf(parsed->colour)); },
      parsed->pager);
}
