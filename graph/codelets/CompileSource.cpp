#include "graph/codelets/CompileSource.hpp"

#include "graph/codelets/CompilerFacts.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/FindClasses.hpp"
#include "graph/codelets/FindFields.hpp"
#include "graph/codelets/LinkLibraries.hpp"
#include "graph/codelets/RegistrationUnit.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words &to, const Words &from) { to.insert(to.end(), from.begin(), from.end()); }

/// The source as it is, under its own name and lines.
std::string writeText(const CodeletSource &source, const WorkFolder &work, const std::string &name) {
  const std::string path = work.path(name + (source.isC ? ".c" : ".cpp"));
  writeFile(path, "# 1 \"" + source.file + "\"\n" + source.text + "\n");
  return path;
}

[[noreturn]] void failCompilation(const CodeletSource &source, const std::string &message) {
  throw poplar::graph_program_compilation_error(source.file + ": the codelets do not compile\n" + message);
}

ProcessResult checkStarted(ProcessResult result, const CodeletSource &source, const CodeletToolchain &toolchain) {
  if (!result.started || result.exitCode == 127)
    failCompilation(source,
                    fmt::format("the compiler '{}' cannot be started; install clang 14 or set POPSCOPE_CXX to a "
                                "clang++ of yours\n",
                                toolchain.compiler));
  return result;
}

/// The compiler's own words about the user's text alone, so that nothing generated can appear in them.
void reportParseErrors(const CodeletSource &source, const Words &language, const Words &parserErrors,
                       const CodeletToolchain &toolchain, const WorkFolder &work) {
  Words command = {toolchain.compiler, "-fsyntax-only"};
  append(command, language);
  command.push_back(writeText(source, work, "source"));
  const ProcessResult result = checkStarted(runProcess(command), source, toolchain);
  if (result.exitCode != 0)
    failCompilation(source, result.errors);
  std::string text;
  for (const std::string &error : parserErrors)
    text += error + "\n";
  failCompilation(source, text);
}

[[noreturn]] void failWithCompilerOutput(const CodeletSource &source, const std::string &errors) {
  const std::string message = userDiagnostics(errors, true);
  failCompilation(source, message.empty() ? errors : message);
}

/// One source, one target, one work folder.
class Compilation {
public:
  Compilation(const CompileTools &tools, const CodeletSource &source, const CodeletOptions &options,
              const WorkFolder &work)
      : tools_(tools), source_(source), options_(options), work_(work),
        language_(languageArguments(source, options, tools.toolchain)) {}

  CompiledUnits run(const UnitHeads &heads, Threads threads) {
    FoundClasses found = parse(heads.parser);
    CompiledUnits result;
    files_ = found.headers;
    if (!found.classes.empty())
      compileClasses(heads, threads, found, result.library);
    chooseObjects(threads, result.library);
    std::sort(files_.begin(), files_.end());
    files_.erase(std::unique(files_.begin(), files_.end()), files_.end());
    result.files = std::move(files_);
    return result;
  }

  std::string view(CodeletView view, const UnitHeads &heads) {
    FoundClasses found = parse(heads.parser);
    askForFields(heads.host, found);
    const std::string unit = source_.isC ? writeText(source_, work_, "unit") : work_.path("unit.cpp"),
                      output = work_.path("view");
    if (!source_.isC) // registration is C++
      writeFile(unit, registrationUnit(source_.file, source_.text, found));
    Words product = view == CodeletView::Object     ? Words{"-c"}
                    : view == CodeletView::Assembly ? Words{"-S"}
                                                    : Words{"-S", "-emit-llvm"};
    append(product, {"-o", output, unit});
    if (!targetArchitecture(options_.target).isHost()) {
      std::string problem = whyNoStandIn();
      if (problem.empty())
        problem =
            standInErrors(runBehind(heads.standIn, standInCommand(tools_.toolchain, language_, tools_.cache), product));
      if (!problem.empty())
        failCompilation(source_, problem + "\n");
    } else {
      const ProcessResult result = started(runBehind(heads.host, hostCommand(language_, tools_.toolchain), product));
      if (result.exitCode != 0)
        failWithCompilerOutput(source_, result.errors);
    }
    return readFile(output).value_or("");
  }

  std::string preprocessed() const {
    Words command = {tools_.toolchain.compiler, "-E"};
    append(command, language_);
    command.push_back(writeText(source_, work_, "source"));
    const ProcessResult result = started(runProcess(command));
    if (result.exitCode != 0)
      failCompilation(source_, result.errors);
    return result.output;
  }

private:
  struct Objects {
    std::string host, standIn, problem, warnings;
  };

  ProcessResult started(ProcessResult result) const {
    return checkStarted(std::move(result), source_, tools_.toolchain);
  }

  FoundClasses parse(const PrecompiledHeader &head) const {
    FoundClasses found = findClasses(source_.file, source_.text, language_, head);
    if (!found.errors.empty())
      reportParseErrors(source_, language_, found.errors, tools_.toolchain, work_);
    return found;
  }

  void askForFields(const PrecompiledHeader &head, FoundClasses &found) const {
    if (std::all_of(found.classes.begin(), found.classes.end(),
                    [](const CandidateClass &candidate) { return candidate.fieldsAreKnown; }))
      return;
    const std::string unit = work_.path("layout.cpp");
    writeFile(unit, layoutUnit(source_.file, source_.text, found));
    const ProcessResult result = started(runBehind(head, hostCommand(language_, tools_.toolchain),
                                                   {"-w", "-fsyntax-only", "-Xclang", "-fdump-record-layouts", unit}));
    if (result.exitCode != 0)
      failWithCompilerOutput(source_, result.errors);
    findFields(source_.file, result.output, found.classes);
  }

  /// Compiles the unit for host and stand-in, to files that begin with `name`.
  Objects compileObjects(const UnitHeads &heads, Threads threads, const std::string &unit, const std::string &name) {
    Objects objects;
    objects.host = work_.path(name + ".o");
    const std::string standIn = work_.path(name + ".rvo");
    const auto compile = [&](const PrecompiledHeader &head, const Words &command, const std::string &output) {
      return runBehind(head, command, {"-MD", "-MF", output + ".d", "-c", "-o", output, unit});
    };
    parallelFor(threads, options_.standIn ? 2 : 1, [&](std::size_t what) {
      if (what == 0) {
        const ProcessResult result =
            started(compile(heads.host, hostCommand(language_, tools_.toolchain), objects.host));
        objects.warnings = userDiagnostics(result.errors, false);
        if (result.exitCode != 0)
          failWithCompilerOutput(source_, result.errors);
      } else {
        objects.problem = whyNoStandIn();
        if (objects.problem.empty())
          objects.problem =
              standInErrors(compile(heads.standIn, standInCommand(tools_.toolchain, language_, tools_.cache), standIn));
      }
    });
    if (!options_.standIn)
      objects.problem = "not compiled: the stand-in was switched off";
    objects.standIn = objects.problem.empty() ? standIn : "";
    for (const std::string &output : {objects.host, standIn})
      for (std::string &file : parseDependencies(readFile(output + ".d").value_or("")))
        if (file != unit && file != heads.host.text) // our own text
          files_.push_back(std::move(file));
    return objects;
  }

  void compileClasses(const UnitHeads &heads, Threads threads, FoundClasses &found, CompiledLibrary &library) {
    askForFields(heads.host, found);
    const std::string unit = work_.path("unit.cpp");
    writeFile(unit, registrationUnit(source_.file, source_.text, found));
    const Objects objects = compileObjects(heads, threads, unit, "unit");
    library.hostObject = objects.host;
    library.standInObject = objects.standIn;
    library.standInProblem = objects.problem;
    library.warnings = objects.warnings;
    linkAlone(source_.file, tools_.toolchain, work_, library);
  }

  /// Keeps the objects that another source's may be linked with. The functions that others may call come from the
  /// source alone, without its classes' registration.
  void chooseObjects(Threads threads, CompiledLibrary &library) {
    if (library.sharedObject.empty() || definesFunctions(library.hostObject)) {
      const Objects objects = compileObjects({}, threads, writeText(source_, work_, "unit"), "functions");
      library.hostFunctions = objects.host;
      library.standInFunctions = objects.standIn;
      if (library.sharedObject.empty())
        library.warnings = objects.warnings;
    }
    if (library.missing.empty())
      library.hostObject = library.standInObject = "";
    if (!definesFunctions(library.hostFunctions))
      library.hostFunctions = library.standInFunctions = "";
  }

  const CompileTools &tools_;
  const CodeletSource &source_;
  const CodeletOptions &options_;
  const WorkFolder &work_;
  const Words language_;
  Words files_;
};

/// False for flags that put a file of the user's before everything else.
bool allowsHeads(const CodeletOptions &options) {
  const Words flags = splitFlags(options.flags);
  return std::none_of(flags.begin(), flags.end(), [](const std::string &flag) {
    return flag.rfind("-include", 0) == 0 || flag == "-imacros" || flag.rfind("-fmodules", 0) == 0;
  });
}

std::string keyOfHead(const CompileTools &tools, const std::string &kind, const Words &command) {
  ContentHash hash;
  hash.add(kind).add(tools.version).add(fs::current_path().string());
  for (const std::string &word : command)
    hash.add(word);
  return hash.hex();
}

} // namespace

UnitHeads prepareHeads(const CompileTools &tools, const Words &known, const CodeletSource &source,
                       const CodeletOptions &options, bool often, Threads threads) {
  if (source.isC)
    return {};
  CodeletSource any = source;
  any.folder = ""; // of no meaning for what stands before the source
  const Words language = languageArguments(any, options, tools.toolchain);
  const bool allowed = allowsHeads(options);
  const PrecompiledHeaders headers(tools.cache);
  const bool make = allowed && (headers.usedBefore(keyOfHead(tools, "used", language)) || often);
  UnitHeads heads;
  const auto prepare = [&](PrecompiledHeader &head, const char *kind, const Words &command, const std::string &text,
                           const Precompile &precompile) {
    // What the command is not made for has no key that another command has.
    head = headers.find(keyOfHead(tools, allowed ? kind : "none", command), text, make, precompile);
  };
  const auto compiler = [&known](const Words &command) {
    return [&command, &known](const std::string &header, const std::string &output) {
      return precompileWith(command, known, header, output);
    };
  };
  const Words host = hostCommand(language, tools.toolchain),
              standIn = standInCommand(tools.toolchain, language, tools.cache);
  const std::function<void()> all[] = {
      [&] {
        prepare(heads.parser, "parser", language, vertexHeaderText(),
                [&](const std::string &header, const std::string &output) {
                  return precompileForParser(header, language, known, output);
                });
      },
      [&] { prepare(heads.host, "host", host, unitHead(), compiler(host)); },
      [&] { prepare(heads.standIn, "stand-in", standIn, unitHead(), compiler(standIn)); },
  };
  parallelFor(threads, whyNoStandIn().empty() ? 3 : 2, [&](std::size_t i) { all[i](); });
  return heads;
}

CompiledUnits compileUnits(const CompileTools &tools, const CodeletSource &source, const CodeletOptions &options,
                           const UnitHeads &heads, const WorkFolder &work, Threads threads) {
  return Compilation(tools, source, options, work).run(heads, threads);
}

std::string preprocessedUnits(const CompileTools &tools, const CodeletSource &source, const CodeletOptions &options,
                              const WorkFolder &work) {
  const Words language = languageArguments(source, options, tools.toolchain);
  Words rest = {"-E"};
  if (!source.isC)
    append(rest, {"-include", tools.cache.keep(unitHead(), ".hpp")});
  rest.push_back(writeText(source, work, "source"));
  std::string text;
  for (Words command :
       {hostCommand(language, tools.toolchain), standInCommand(tools.toolchain, language, tools.cache)}) {
    append(command, rest);
    const ProcessResult result = runProcess(command);
    if (result.exitCode != 0)
      return "";
    text += result.output;
  }
  return text;
}

std::string viewOfCodelets(const CodeletSource &source, const CodeletOptions &options, CodeletView view) {
  const CompileTools tools = findCompileTools();
  const WorkFolder work(tools.cache.folder());
  Compilation compilation(tools, source, options, work);
  return view == CodeletView::Preprocessed
             ? compilation.preprocessed()
             : compilation.view(view, prepareHeads(tools, knownFolders(tools), source, options, false, {}));
}

} // namespace popscope
