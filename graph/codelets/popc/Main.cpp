// popc: compiles codelet sources and merges graph objects into one .gp.
// Exit codes: 0 done, 1 the codelets do not compile, 2 usage or unusable input, 3 internal fault.
#include "base/Version.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/popc/Arguments.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <poplar/exceptions.hpp>
#include <stdexcept>

namespace popscope {
namespace {

std::string joinFlags(const std::vector<std::string> &flags) {
  std::string joined;
  for (const std::string &flag : flags) {
    joined += joined.empty() ? "'" : " '";
    for (const char c : flag)
      joined += c == '\'' ? std::string("'\\''") : std::string(1, c);
    joined += "'";
  }
  return joined;
}

std::string readInput(const std::string &path) {
  const std::optional<std::string> content = readFile(path);
  if (!content)
    throw poplar::file_load_error(path + ": cannot be read");
  return *content;
}

GraphObjectEntry compileEntry(const CodeletSource &source, const CodeletOptions &options) {
  const CompiledLibrary library = compileLibrary(source, options);
  std::fputs(library.warnings.c_str(), stderr);
  GraphObjectEntry entry;
  entry.source = source.file;
  entry.target = options.target;
  entry.flags = options.flags;
  entry.text = source.text;
  entry.standInProblem = library.standInProblem;
  if (!library.sharedObject.empty())
    entry.sharedObject = readInput(library.sharedObject);
  if (!library.standInImage.empty())
    entry.standInImage = readInput(library.standInImage);
  return entry;
}

void addInput(const std::string &path, const PopcArguments &arguments, std::vector<GraphObjectEntry> &entries) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const std::string content = readInput(path);
  if (extension == ".gp") {
    for (GraphObjectEntry &entry : readGraphObject(path, content))
      entries.push_back(std::move(entry));
  } else if (extension == ".S" || extension == ".s" || extension == ".ll") {
    std::fprintf(stderr, "popc: note: %s is skipped: its instructions are the tile's own and cannot run here\n", path.c_str());
  } else if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".c") {
    for (const std::string &target : arguments.targets) {
      if (arguments.verbose)
        std::fprintf(stderr, "popc: compiling %s for %s\n", path.c_str(), target.c_str());
      CodeletOptions options;
      options.flags = joinFlags(arguments.compilerFlags);
      options.target = target;
      entries.push_back(compileEntry(
          {path, content, std::filesystem::path(path).parent_path().string(), extension == ".c"}, options));
    }
  } else
    throw std::invalid_argument(path + ": unknown kind of input; popc reads .cpp, .cc, .c, .S, .s, .ll and .gp");
}

int run(const PopcArguments &arguments) {
  if (arguments.help)
    return std::fputs(popcHelp().c_str(), stdout) < 0 ? 3 : 0;
  if (arguments.listTargets)
    return std::puts("cpu,ipu1,ipu2,ipu21") < 0 ? 3 : 0;
  if (arguments.version) // the third word is the version: build files read it there
    return std::printf("popc version %s\n", kVersionText) < 0 ? 3 : 0;
  if (arguments.inputs.empty() || arguments.output.empty())
    throw std::invalid_argument("give inputs and -o FILE; popc --help shows all options");
  std::vector<GraphObjectEntry> entries;
  for (const std::string &input : arguments.inputs)
    addInput(input, arguments, entries);
  writeFile(arguments.output, writeGraphObject(entries));
  return 0;
}

int guarded(const std::vector<std::string> &words) {
  try {
    return run(parsePopcArguments(words));
  } catch (const poplar::graph_program_compilation_error &error) {
    std::fprintf(stderr, "popc: %s", error.what());
    return 1;
  } catch (const poplar::poplar_error &error) {
    std::fprintf(stderr, "popc: %s\n", error.what());
    return 2;
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "popc: %s\n", error.what());
    return 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "popc: internal fault: %s\n", error.what());
    return 3;
  }
}

} // namespace
} // namespace popscope

int main(int argc, char **argv) { return popscope::guarded(std::vector<std::string>(argv + 1, argv + argc)); }
