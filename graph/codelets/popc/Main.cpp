// popc: compiles codelet sources and merges graph objects into one .gp.
// Exit codes: 0 done, 1 the codelets do not compile, 2 usage or unusable input, 3 internal fault.
#include "base/FileErrors.hpp"
#include "base/TerminalText.hpp"
#include "base/Version.hpp"
#include "base/WholeFile.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/Demangle.hpp"
#include "graph/codelets/DescribeClasses.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/LinkLibraries.hpp"
#include "graph/codelets/LoadLibrary.hpp"
#include "graph/codelets/NearMisses.hpp"
#include "graph/codelets/popc/Arguments.hpp"
#include "graph/codelets/popc/DefinedOnce.hpp"
#include "target-models/model/Architectures.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <poplar/exceptions.hpp>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

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
  std::error_code none;
  if (!content)
    throw poplar::file_load_error(path + (std::filesystem::exists(path, none) ? ": cannot be read" : ": no such file"));
  return *content;
}

/// Copies the library's files into the entry.
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
  entry.classes = describeClasses(loadLibrary(entry.source, library), entry.architecture);
}

/// Links entries that use functions of other entries of the same target with these other entries. Another graph object
/// may define missing functions later. Otherwise, compiling the graph reports the missing functions.
void linkEntries(std::vector<GraphObjectEntry> &entries, bool verbose, Threads threads) {
  if (std::all_of(entries.begin(), entries.end(), [](const GraphObjectEntry &entry) { return entry.missing.empty(); }))
    return;
  // Linking changes entries, but not the parts with which other entries link.
  std::vector<CompiledLibrary> libraries(entries.size());
  parallelFor(threads, entries.size(), [&](std::size_t i) { libraries[i] = unpackEntry(entries[i]); });
  parallelFor(threads, entries.size(), [&](std::size_t i) {
    GraphObjectEntry &entry = entries[i];
    std::vector<const CompiledLibrary *> others;
    for (std::size_t j = 0; j != libraries.size(); ++j)
      if (j != i && entries[j].target == entry.target && entries[j].halfAsFloat == entry.halfAsFloat &&
          !libraries[j].hostFunctions.empty())
        others.push_back(&libraries[j]);
    if (!libraries[i].missing.empty() && !others.empty() && !libraries[i].sharedObject.empty())
      pack(linkWithOthers(libraries[i], others), entry);
  });
  for (const GraphObjectEntry &entry : entries)
    for (const std::string &function : entry.missing)
      if (verbose)
        printMessage("popc: note: " + entry.source + " uses " + demangledSymbol(function) +
                     ", which no input file defines");
}

bool isAssembly(const std::string &extension) { return extension == ".S" || extension == ".s" || extension == ".ll"; }
bool isSource(const std::string &extension) {
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C" || extension == ".c";
}
CodeletSource sourceOf(const std::string &path, std::string content) {
  const std::filesystem::path file(path);
  return {path, withoutByteOrderMark(std::move(content)), file.parent_path().string(), file.extension() == ".c"};
}

/// The entries that an input adds to the graph object: either finished entries, or one entry per compile job, in the
/// order of the jobs' targets.
struct Input {
  std::vector<GraphObjectEntry> entries;
  std::size_t jobs = 0; // the number of jobs of this input; its jobs follow those of the previous input
};

/// Adds one job for each set of flags that the targets have.
void addJobs(const std::string &path, const std::string &content, const PopcArguments &arguments, Input &input,
             std::vector<CodeletJob> &jobs) {
  std::vector<std::vector<std::string>> flagsOfJob;
  for (const PopcTarget &target : arguments.targets)
    if (std::find(flagsOfJob.begin(), flagsOfJob.end(), target.flags) == flagsOfJob.end())
      flagsOfJob.push_back(target.flags);
  for (const std::vector<std::string> &added : flagsOfJob) {
    std::vector<std::string> words = arguments.compilerFlags;
    words.insert(words.end(), added.begin(), added.end());
    CodeletJob job{sourceOf(path, content), joinFlags(words), {}, true};
    for (const PopcTarget &target : arguments.targets) {
      if (target.flags != added)
        continue;
      if (arguments.verbose)
        printMessage("popc: compiling " + path + " for " + target.name);
      for (const bool halfAsFloat : {false, true}) { // a model may want either kind of half
        job.targets.push_back({target.architecture, halfAsFloat});
        GraphObjectEntry entry;
        entry.source = path;
        entry.target = target.name;
        entry.architecture = target.architecture;
        entry.halfAsFloat = halfAsFloat;
        entry.flags = job.flags;
        entry.text = content;
        input.entries.push_back(std::move(entry));
      }
    }
    jobs.push_back(std::move(job));
    ++input.jobs;
  }
}

Input openInput(const std::string &path, const PopcArguments &arguments, std::vector<CodeletJob> &jobs) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const std::string content = readInput(path);
  Input input;
  if (extension == ".gp")
    input.entries = readGraphObject(path, content);
  else if (isSource(extension))
    addJobs(path, content, arguments, input, jobs);
  else if (!isAssembly(extension))
    throw std::invalid_argument(
        path +
        ": unknown kind of input; popc compiles .cpp, .cc, .cxx, .C and .c, merges .gp, and skips .S, .s and .ll");
  return input;
}

/// Reports all skipped inputs in one line, because a library may have hundreds of such inputs.
void tellSkipped(const std::vector<std::string> &inputs) {
  std::vector<std::string> skipped;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(skipped),
               [](const std::string &path) { return isAssembly(std::filesystem::path(path).extension().string()); });
  if (skipped.empty())
    return;
  std::string names = skipped.front();
  for (std::size_t i = 1; i != skipped.size() && i != 3; ++i)
    names += ", " + skipped[i];
  if (skipped.size() > 3)
    names += " and " + std::to_string(skipped.size() - 3) + " more";
  printMessage("popc: note: " + names + (skipped.size() == 1 ? " is" : " are") +
               " skipped: instructions of the tile cannot run here");
}

/// Prints the error unwrapped. The compiler's messages end with a newline; other messages get a newline.
void printError(const poplar::graph_program_compilation_error &error) {
  const std::string message = error.what();
  std::fprintf(stderr, "popc: %s%s", message.c_str(), message.empty() || message.back() != '\n' ? "\n" : "");
}

/// Reports the compiler's messages in the order of the sources. Returns whether all sources compile.
bool tell(const std::vector<CodeletJob> &jobs, const std::vector<CompiledSource> &compiled, bool verbose) {
  bool allCompile = true;
  for (std::size_t j = 0; j != compiled.size(); ++j) {
    const CompiledSource &source = compiled[j];
    const auto why = std::find_if(source.libraries.begin(), source.libraries.end(),
                                  [](const CompiledLibrary &library) { return !library.whyNoFloats.empty(); });
    if (verbose && why != source.libraries.end())
      std::fprintf(stderr,
                   "popc: note: %s does not compile with half as float, so half has two bytes for models without "
                   "accurateHalf, too: %s",
                   jobs[j].source.file.c_str(), why->whyNoFloats.c_str());
    try {
      if (source.error)
        std::rethrow_exception(source.error);
    } catch (const poplar::graph_program_compilation_error &error) {
      printError(error);
      allCompile = false;
      continue;
    }
    std::set<std::string> told; // targets that share a compilation have equal messages
    for (const CompiledLibrary &library : source.libraries)
      if (told.insert(library.warnings).second)
        std::fputs(library.warnings.c_str(), stderr);
  }
  return allCompile;
}

/// Fills the entries of the compiled inputs.
void packAll(std::vector<Input> &inputs, const std::vector<CompiledSource> &compiled, Threads threads) {
  std::vector<std::pair<GraphObjectEntry *, const CompiledLibrary *>> all;
  std::size_t job = 0;
  for (Input &input : inputs) {
    auto entry = input.entries.begin();
    for (const std::size_t end = job + input.jobs; job != end; ++job)
      for (const CompiledLibrary &library : compiled[job].libraries)
        all.emplace_back(&*entry++, &library);
  }
  parallelFor(threads, all.size(), [&](std::size_t i) { pack(*all[i].second, *all[i].first); });
}

bool hasClasses(const GraphObjectEntry &entry) { return entry.classes.find("\"name\"") != std::string::npos; }

/// Warns of an archive without a vertex class, because no graph can use such an archive by itself. Names classes that
/// were probably meant as vertices, and vertices whose compute() is not public.
void warnOfNoVertices(const std::vector<CodeletJob> &jobs, const std::vector<Input> &inputs) {
  bool any = false;
  std::size_t job = 0;
  for (const Input &input : inputs) {
    const bool found = std::any_of(input.entries.begin(), input.entries.end(), hasClasses);
    any = any || found || input.entries.empty(); // another message reports skipped assembly
    if (input.jobs != 0) {
      const CodeletOptions options{jobs[job].flags, jobs[job].targets.front().name};
      for (const std::string &why :
           found ? hiddenComputes(jobs[job].source, options) : whyNoVertices(jobs[job].source, options))
        printMessage("popc: warning: " + why);
    }
    job += input.jobs;
  }
  if (!any)
    printMessage("popc: warning: there is no vertex class in the archive: no class derives from poplar::Vertex and has "
                 "a compute()");
}

/// Writes the file atomically, except in a folder that accepts no other file.
void writeArchive(const std::string &path, const std::string &content) {
  try {
    writeWholeFile(path, content);
  } catch (const std::system_error &error) {
    if (isLackOfRoom(error.code().value()))
      throw;
    writeFile(path, content);
  }
}

/// Writes the text to standard output. Returns the exit code.
int print(const std::string &text) {
  const std::string problem = writeOutput(text);
  if (!problem.empty())
    printMessage("popc: " + problem);
  return problem.empty() ? 0 : 2;
}

int show(const PopcArguments &arguments) {
  if (arguments.inputs.size() != 1 || arguments.targets.size() != 1 ||
      !isSource(std::filesystem::path(arguments.inputs.front()).extension().string()))
    throw std::invalid_argument("-E, -S, --emit-llvm and -c take one C++ or C source and one target");
  if (*arguments.view == CodeletView::Object && arguments.output.empty())
    throw std::invalid_argument("-c needs -o FILE");
  const std::string &path = arguments.inputs.front();
  std::vector<std::string> flags = arguments.compilerFlags;
  const std::vector<std::string> &added = arguments.targets.front().flags;
  flags.insert(flags.end(), added.begin(), added.end());
  const ViewedCodelets viewed = viewOfCodelets(
      sourceOf(path, readInput(path)), {joinFlags(flags), arguments.targets.front().architecture}, *arguments.view);
  std::fputs(viewed.warnings.c_str(), stderr);
  if (arguments.output.empty() || arguments.output == "-")
    return print(viewed.text);
  writeFile(arguments.output, viewed.text);
  return 0;
}

// Compiles all sources on several threads. Reports all errors before it writes anything, so that a failed build leaves
// no archive behind.
int run(const PopcArguments &arguments) {
  if (arguments.help)
    return print(popcHelp());
  if (arguments.listTargets) {
    std::string names;
    for (const Architecture &one : architectures())
      names += (names.empty() ? "" : ",") + one.name;
    return print(names + "\n");
  }
  if (arguments.version) // build files read the version from the third word
    return print(std::string("popc version ") + kVersionText + "\n");
  checkOutputIsNoInput(arguments.output, arguments.inputs);
  if (arguments.view)
    return show(arguments);
  if (arguments.inputs.empty())
    throw std::invalid_argument("no inputs; give codelet sources or graph objects. popc --help lists all options");
  if (arguments.output.empty())
    throw std::invalid_argument("no output for " + arguments.inputs.front() +
                                "; name the file to write with -o FILE, " + "for example -o " +
                                std::filesystem::path(arguments.inputs.front()).stem().concat(".gp").string());
  std::vector<CodeletJob> jobs;
  std::vector<Input> inputs;
  for (const std::string &path : arguments.inputs)
    inputs.push_back(openInput(path, arguments, jobs));
  tellSkipped(arguments.inputs);
  const Threads threads{arguments.jobs};
  const std::vector<CompiledSource> compiled = compileLibraries(jobs, threads);
  if (!tell(jobs, compiled, arguments.verbose))
    return 1;
  packAll(inputs, compiled, threads);
  warnOfNoVertices(jobs, inputs);
  std::vector<GraphObjectEntry> entries;
  std::vector<std::string> inputOfEntry;
  for (std::size_t i = 0; i != inputs.size(); ++i) {
    inputOfEntry.insert(inputOfEntry.end(), inputs[i].entries.size(), arguments.inputs[i]);
    std::move(inputs[i].entries.begin(), inputs[i].entries.end(), std::back_inserter(entries));
  }
  checkDefinedOnce(entries, inputOfEntry);
  linkEntries(entries, arguments.verbose, threads);
  writeArchive(arguments.output, writeGraphObject(entries));
  return 0;
}

int guarded(const std::vector<std::string> &words) {
  try {
    return run(parsePopcArguments(words));
  } catch (const poplar::graph_program_compilation_error &error) {
    printError(error);
    return 1;
  } catch (const poplar::poplar_error &error) {
    printMessage(std::string("popc: ") + error.what());
    return 2;
  } catch (const std::invalid_argument &error) {
    printMessage(std::string("popc: ") + error.what());
    return 2;
  } catch (const std::system_error &error) { // for example, the disk is full, or a permission is missing
    printMessage("popc: " + messageOf(error));
    return 2;
  } catch (const std::exception &error) {
    printMessage(std::string("popc: internal error: ") + error.what());
    return 3;
  }
}

} // namespace
} // namespace popscope

int main(int argc, char **argv) { return popscope::guarded(std::vector<std::string>(argv + 1, argv + argc)); }
