#include "graph/codelets/CompileLibrary.hpp"

#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/FindClasses.hpp"
#include "graph/codelets/FindFields.hpp"
#include "graph/codelets/LinkLibraries.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/RegistrationUnit.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <poplar/exceptions.hpp>
#include <sstream>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words &to, const Words &from) { to.insert(to.end(), from.begin(), from.end()); }

/// Arguments that the parser, the compiler and the stand-in's compiler share.
Words languageArguments(const CodeletSource &source, const CodeletOptions &options, const CodeletToolchain &toolchain) {
  Words args = {"-x", source.isC ? "c" : "c++"};
  if (!source.isC)
    args.push_back("-std=c++17");
  append(args, {"-D__POPC__", "-Wno-unknown-attributes", "-Wno-ignored-attributes"});
  // half is the compiler's own type, with arithmetic that rounds after each operation.
  append(args,
         {"-DPOPSCOPE_NATIVE_HALF", "-Xclang", "-fnative-half-type", "-Xclang", "-fallow-half-arguments-and-returns"});
  append(args, {"-include", "stdint.h"}); // a tile's standard library brings it with every header
  if (const Architecture &arch = targetArchitecture(options.target); !arch.isHost())
    args.push_back(fmt::format("-DPOPSCOPE_IPU_ARCH={}", arch.version));
  for (const std::string &dir : toolchain.includeDirs)
    append(args, {"-isystem", dir});
  if (!source.folder.empty())
    append(args, {"-iquote", source.folder});
  append(args, splitFlags(options.flags));
  return args;
}

[[noreturn]] void failCompilation(const CodeletSource &source, const std::string &message) {
  throw poplar::graph_program_compilation_error(source.file + ": the codelets do not compile\n" + message);
}

ProcessResult compile(const Words &command, const CodeletSource &source) {
  ProcessResult result = runProcess(command);
  if (!result.started || result.exitCode == 127)
    failCompilation(source,
                    fmt::format("the compiler '{}' cannot be started; install clang 14 or set POPSCOPE_CXX to a "
                                "clang++ of yours\n",
                                command.front()));
  return result;
}

/// The compiler's own words about the user's text alone, so that nothing generated can appear in them.
void reportParseErrors(const CodeletSource &source, const Words &language, const Words &parserErrors,
                       const CodeletToolchain &toolchain, const WorkFolder &work) {
  const std::string path = work.path(source.isC ? "source.c" : "source.cpp");
  writeFile(path, "# 1 \"" + source.file + "\"\n" + source.text + "\n");
  Words command = {toolchain.compiler, "-fsyntax-only"};
  append(command, language);
  command.push_back(path);
  const ProcessResult result = compile(command, source);
  if (result.exitCode != 0)
    failCompilation(source, result.errors);
  std::string text;
  for (const std::string &error : parserErrors)
    text += error + "\n";
  failCompilation(source, text);
}

/// Header paths of a make rule "target: a b \<newline> c"; blanks in names are escaped.
Words parseDependencies(const std::string &rule, const std::string &ownFile) {
  Words found;
  std::string word;
  const std::size_t colon = rule.find(": ");
  for (std::size_t i = colon == std::string::npos ? rule.size() : colon + 2; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    if (c == '\\' && i + 1 < rule.size() && rule[i + 1] != '\n')
      word += rule[++i];
    else if (c == ' ' || c == '\n' || c == '\\') {
      if (!word.empty() && word != ownFile)
        found.push_back(fs::absolute(word).lexically_normal().string());
      word.clear();
    } else
      word += c;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string headersHash(const CodeletToolchain &toolchain) {
  ContentHash hash;
  for (const std::string &dir : toolchain.includeDirs)
    for (const char *name : {"Vertex.hpp",
                             "HalfFloat.hpp",
                             "HalfClass.hpp",
                             "IeeeHalf.hpp",
                             "QuarterFloat.hpp",
                             "VectorTypes.hpp",
                             "VectorListTypes.hpp",
                             "InOutTypes.hpp",
                             "FieldTypes.hpp",
                             "Alignment.hpp",
                             "Loops.hpp",
                             "AvailableVTypes.h",
                             "StackSizeDefs.hpp",
                             "TileConstants.hpp",
                             "VectorLayout.hpp",
                             "../ipudef.h",
                             "../print.h",
                             "../ipu_builtins.h",
                             "../ipu_vector_math",
                             "../ipuvectormath",
                             "../ipu_memory_intrinsics",
                             "../arch/gc_tile_defines.h"})
      hash.add(readFile(dir + "/poplar/" + name).value_or(""));
  return hash.hex();
}

[[noreturn]] void failWithCompilerOutput(const CodeletSource &source, const std::string &errors) {
  const std::string message = userDiagnostics(errors, true);
  failCompilation(source, message.empty() ? errors : message);
}

void askForFields(const CodeletSource &source, const Words &language, const CodeletToolchain &toolchain,
                  const WorkFolder &work, FoundClasses &found) {
  const std::string unit = work.path("layout.cpp");
  writeFile(unit, layoutUnit(source.file, source.text, found));
  Words command = {toolchain.compiler, "-fsyntax-only"};
  append(command, language);
  append(command, {"-w", "-frtti", "-fno-access-control", "-Xclang", "-fdump-record-layouts", unit});
  const ProcessResult result = compile(command, source);
  if (result.exitCode != 0)
    failWithCompilerOutput(source, result.errors);
  findFields(source.file, result.output, found.classes);
}

/// How the host's code is made, whatever is made of it.
Words hostCommand(const Words &language, const CodeletToolchain &toolchain) {
  Words command = {toolchain.compiler, "-O2"};
  append(command, language);
  // Names of classes are taken from their type_info.
  append(command, {"-frtti", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-ffp-contract=off",
                   "-fno-access-control", "-ffunction-sections", "-fdata-sections"});
  return command;
}

struct Objects {
  std::string host, standIn, problem, warnings;
};

/// Compiles the unit for host and stand-in, to files that begin with `name`.
Objects compileObjects(const CodeletSource &source, const CodeletOptions &options, const Words &language,
                       const CodeletToolchain &toolchain, const WorkFolder &work, const std::string &unit,
                       const std::string &name) {
  Objects objects;
  objects.host = work.path(name + ".o");
  Words command = hostCommand(language, toolchain);
  append(command, {"-MMD", "-MF", work.path("unit.d"), "-c", "-o", objects.host, unit});
  const ProcessResult result = compile(command, source);
  objects.warnings = userDiagnostics(result.errors, false);
  if (result.exitCode != 0)
    failWithCompilerOutput(source, result.errors);
  if (!options.standIn) {
    objects.problem = "not compiled: the stand-in was switched off";
    return objects;
  }
  objects.problem = compileForStandIn(toolchain, language, unit, work.path(name + ".rvo"), {"-c"}).problem;
  objects.standIn = objects.problem.empty() ? work.path(name + ".rvo") : "";
  return objects;
}

void compileClasses(const CodeletSource &source, const CodeletOptions &options, const Words &language,
                    const CodeletToolchain &toolchain, const WorkFolder &work, FoundClasses &found,
                    CompiledLibrary &library) {
  askForFields(source, language, toolchain, work, found);
  const std::string unit = work.path("unit.cpp");
  writeFile(unit, registrationUnit(source.file, source.text, found));
  const Objects objects = compileObjects(source, options, language, toolchain, work, unit, "unit");
  library.hostObject = objects.host;
  library.standInObject = objects.standIn;
  library.standInProblem = objects.problem;
  library.warnings = objects.warnings;
  linkAlone(source.file, toolchain, work, library);
}

/// The source alone, without its classes' registration: functions that other sources may call.
void compileFunctions(const CodeletSource &source, const CodeletOptions &options, const Words &language,
                      const CodeletToolchain &toolchain, const WorkFolder &work, CompiledLibrary &library) {
  const std::string unit = work.path(source.isC ? "unit.c" : "unit.cpp");
  writeFile(unit, "# 1 \"" + source.file + "\"\n" + source.text + "\n");
  const Objects objects = compileObjects(source, options, language, toolchain, work, unit, "functions");
  library.hostFunctions = objects.host;
  library.standInFunctions = objects.standIn;
  if (library.sharedObject.empty())
    library.warnings = objects.warnings;
}

/// Keeps the objects that another source's may be linked with.
void chooseObjects(const CodeletSource &source, const CodeletOptions &options, const Words &language,
                   const CodeletToolchain &toolchain, const WorkFolder &work, CompiledLibrary &library) {
  if (library.sharedObject.empty() || definesFunctions(library.hostObject))
    compileFunctions(source, options, language, toolchain, work, library);
  if (library.missing.empty())
    library.hostObject = library.standInObject = "";
  if (!definesFunctions(library.hostFunctions))
    library.hostFunctions = library.standInFunctions = "";
}

void requireHeaders(const CodeletToolchain &toolchain) {
  for (const std::string &dir : toolchain.includeDirs)
    if (fs::exists(dir + "/poplar/Vertex.hpp"))
      return;
  throw poplar::file_load_error("poplar/Vertex.hpp is not in " + toolchain.includeDirs.front() +
                                ", where the headers of this library should be; set POPSCOPE_INCLUDE_DIR to the folder "
                                "that holds poplar/Vertex.hpp");
}

std::string preprocess(const CodeletSource &source, const Words &language, const CodeletToolchain &toolchain,
                       const WorkFolder &work) {
  const std::string path = work.path(source.isC ? "source.c" : "source.cpp");
  writeFile(path, "# 1 \"" + source.file + "\"\n" + source.text + "\n");
  Words command = {toolchain.compiler, "-E"};
  append(command, language);
  command.push_back(path);
  const ProcessResult result = compile(command, source);
  if (result.exitCode != 0)
    failCompilation(source, result.errors);
  return result.output;
}

} // namespace

std::string viewOfCodelets(const CodeletSource &source, const CodeletOptions &options, CodeletView view) {
  const CodeletToolchain toolchain = findToolchain();
  requireHeaders(toolchain);
  const Words language = languageArguments(source, options, toolchain);
  const WorkFolder work(CompileCache(toolchain.cacheDir).folder());
  if (view == CodeletView::Preprocessed)
    return preprocess(source, language, toolchain, work);
  FoundClasses found = findClasses(source.file, source.text, language);
  if (!found.errors.empty())
    reportParseErrors(source, language, found.errors, toolchain, work);
  askForFields(source, language, toolchain, work, found);
  const std::string unit = work.path("unit.cpp"), output = work.path("view");
  writeFile(unit, registrationUnit(source.file, source.text, found));
  const Words product = view == CodeletView::Object     ? Words{"-c"}
                        : view == CodeletView::Assembly ? Words{"-S"}
                                                        : Words{"-S", "-emit-llvm"};
  if (!targetArchitecture(options.target).isHost()) {
    const StandInOutcome outcome = compileForStandIn(toolchain, language, unit, output, product);
    if (!outcome.problem.empty())
      failCompilation(source, outcome.problem + "\n");
  } else {
    Words command = hostCommand(language, toolchain);
    append(command, product);
    append(command, {"-o", output, unit});
    const ProcessResult result = compile(command, source);
    if (result.exitCode != 0)
      failWithCompilerOutput(source, result.errors);
  }
  return readFile(output).value_or("");
}

const Architecture &targetArchitecture(const std::string &target) {
  if (const Architecture *known = findArchitecture(target))
    return *known;
  throw poplar::poplar_error("codelets cannot be compiled for the target '" + target + "'; the targets are " +
                             architectureNames(true, "and"));
}

CompiledLibrary compileLibrary(const CodeletSource &source, const CodeletOptions &options) {
  const CodeletToolchain toolchain = findToolchain();
  requireHeaders(toolchain);
  const Words language = languageArguments(source, options, toolchain);
  const CompileCache cache(toolchain.cacheDir);
  ContentHash hash;
  hash.add(registryVersion()).add(headersHash(toolchain)).add(programIdentity(toolchain.compiler)).add(source.file);
  hash.add(source.text).add(fs::current_path().string()).add(options.standIn ? standInCompilerVersion() : "");
  for (const std::string &word : language)
    hash.add(word);
  const std::string key = hash.hex();
  if (const std::optional<CompiledLibrary> known = cache.find(key))
    return *known;

  const fs::file_time_type begin = fs::file_time_type::clock::now();
  const WorkFolder work(cache.folder());
  FoundClasses found = findClasses(source.file, source.text, language);
  if (!found.errors.empty())
    reportParseErrors(source, language, found.errors, toolchain, work);
  CompiledLibrary library;
  if (!found.classes.empty())
    compileClasses(source, options, language, toolchain, work, found, library);
  chooseObjects(source, options, language, toolchain, work, library);
  found.headers =
      parseDependencies(readFile(work.path("unit.d")).value_or(""), work.path(source.isC ? "unit.c" : "unit.cpp"));
  return cache.store(key, library, found.headers, begin);
}

} // namespace popscope
