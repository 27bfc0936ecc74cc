// popc: compiles codelet sources and merges graph objects into one .gp.
// Exit codes: 0 done, 1 the codelets do not compile, 2 usage or unusable input, 3 internal fault.
#include "base/Version.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/Demangle.hpp"
#include "graph/codelets/DescribeClasses.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/LinkLibraries.hpp"
#include "graph/codelets/LoadLibrary.hpp"
#include "graph/codelets/popc/Arguments.hpp"
#include "target-models/model/Architectures.hpp"

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

/// Takes the library's files into the entry.
void pack(const CompiledLibrary &library, GraphObjectEntry &entry) {
  const auto content = [](const std::string &path) { return path.empty() ? "" : readInput(path); };
  entry.standInProblem = library.standInProblem;
  entry.sharedObject = content(library.sharedObject);
  entry.standInImage = content(library.standInImage);
  entry.hostObject = content(library.hostObject);
  entry.standInObject = content(library.standInObject);
  entry.hostFunctions = content(library.hostFunctions);
  entry.standInFunctions = content(library.standInFunctions);
  entry.missing = library.missing;
  entry.classes = describeClasses(loadLibrary(entry.source, library), entry.target);
}

GraphObjectEntry compileEntry(const CodeletSource &source, const CodeletOptions &options) {
  const CompiledLibrary library = compileLibrary(source, options);
  std::fputs(library.warnings.c_str(), stderr);
  GraphObjectEntry entry;
  entry.source = source.file;
  entry.target = options.target;
  entry.flags = options.flags;
  entry.text = source.text;
  pack(library, entry);
  return entry;
}

/// Entries that use functions of others of the same target are linked with them. What none defines may come from
/// another graph object later: the graph's compilation names it then.
void linkEntries(std::vector<GraphObjectEntry> &entries, bool verbose) {
  for (GraphObjectEntry &entry : entries) {
    if (entry.missing.empty())
      continue;
    std::vector<CompiledLibrary> libraries;
    for (const GraphObjectEntry &other : entries)
      if (&other != &entry && other.target == entry.target && !other.hostFunctions.empty())
        libraries.push_back(unpackEntry(other));
    std::vector<const CompiledLibrary *> others;
    for (const CompiledLibrary &library : libraries)
      others.push_back(&library);
    if (!others.empty() && !entry.sharedObject.empty())
      pack(linkWithOthers(unpackEntry(entry), others), entry);
    for (const std::string &function : entry.missing)
      if (verbose)
        std::fprintf(stderr, "popc: note: %s uses %s, which no file here defines\n", entry.source.c_str(),
                     demangled(function).c_str());
  }
}

bool isAssembly(const std::string &extension) { return extension == ".S" || extension == ".s" || extension == ".ll"; }
bool isSource(const std::string &extension) {
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C" || extension == ".c";
}
CodeletSource sourceOf(const std::string &path, std::string content) {
  const std::filesystem::path file(path);
  return {path, std::move(content), file.parent_path().string(), file.extension() == ".c"};
}

void addInput(const std::string &path, const PopcArguments &arguments, std::vector<GraphObjectEntry> &entries) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const std::string content = readInput(path);
  if (extension == ".gp") {
    for (GraphObjectEntry &entry : readGraphObject(path, content))
      entries.push_back(std::move(entry));
  } else if (isAssembly(extension)) {
    std::fprintf(stderr, "popc: note: %s is skipped: its instructions are the tile's own and cannot run here\n",
                 path.c_str());
  } else if (isSource(extension)) {
    for (const std::string &target : arguments.targets) {
      if (arguments.verbose)
        std::fprintf(stderr, "popc: compiling %s for %s\n", path.c_str(), target.c_str());
      entries.push_back(compileEntry(sourceOf(path, content), {joinFlags(arguments.compilerFlags), target, true}));
    }
  } else
    throw std::invalid_argument(path + ": unknown kind of input; popc reads .cpp, .cc, .c, .S, .s, .ll and .gp");
}

int show(const PopcArguments &arguments) {
  if (arguments.inputs.size() != 1 || arguments.targets.size() != 1 ||
      !isSource(std::filesystem::path(arguments.inputs.front()).extension().string()))
    throw std::invalid_argument("-E, -S, --emit-llvm and -c take one C++ or C source and one target");
  if (*arguments.view == CodeletView::Object && arguments.output.empty())
    throw std::invalid_argument("-c needs -o FILE");
  const std::string &path = arguments.inputs.front();
  const std::string text =
      viewOfCodelets(sourceOf(path, readInput(path)),
                     {joinFlags(arguments.compilerFlags), arguments.targets.front(), true}, *arguments.view);
  if (arguments.output.empty() || arguments.output == "-")
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 3;
  writeFile(arguments.output, text);
  return 0;
}

int run(const PopcArguments &arguments) {
  if (arguments.help)
    return std::fputs(popcHelp().c_str(), stdout) < 0 ? 3 : 0;
  if (arguments.listTargets) {
    std::string names;
    for (const Architecture &one : architectures())
      names += (names.empty() ? "" : ",") + one.name;
    return std::puts(names.c_str()) < 0 ? 3 : 0;
  }
  if (arguments.version) // the third word is the version: build files read it there
    return std::printf("popc version %s\n", kVersionText) < 0 ? 3 : 0;
  if (arguments.view)
    return show(arguments);
  if (arguments.inputs.empty() || arguments.output.empty())
    throw std::invalid_argument("give inputs and -o FILE; popc --help shows all options");
  std::vector<GraphObjectEntry> entries;
  for (const std::string &input : arguments.inputs)
    addInput(input, arguments, entries);
  linkEntries(entries, arguments.verbose);
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
