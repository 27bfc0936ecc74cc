#include "graph/codelets/CompileTools.hpp"

#include "graph/codelets/CompilerFacts.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/EmbeddedText.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/RegistrationUnit.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <filesystem>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string headersHash(const CodeletToolchain &toolchain) {
  ContentHash hash;
  for (const std::string &dir : toolchain.includeDirs)
    for (const char *name : {"Vertex.hpp",          "HalfFloat.hpp",
                             "HalfClass.hpp",       "IeeeHalf.hpp",
                             "QuarterFloat.hpp",    "VectorTypes.hpp",
                             "VectorListTypes.hpp", "InOutTypes.hpp",
                             "FieldTypes.hpp",      "Alignment.hpp",
                             "Loops.hpp",           "AvailableVTypes.h",
                             "StackSizeDefs.hpp",   "TileConstants.hpp",
                             "TileRegisters.hpp",   "VectorLayout.hpp",
                             "../ipudef.h",         "../print.h",
                             "../ipu_builtins.h",   "../ipu_vector_math",
                             "../ipuvectormath",    "../ipu_memory_intrinsics",
                             "../ipu_intrinsics",   "../arch/gc_tile_defines.h"})
      hash.add(readFile(dir + "/poplar/" + name).value_or(""));
  return hash.hex();
}

void requireHeaders(const CodeletToolchain &toolchain) {
  for (const std::string &dir : toolchain.includeDirs)
    if (fs::exists(dir + "/poplar/Vertex.hpp"))
      return;
  throw poplar::file_load_error("poplar/Vertex.hpp is not in " + toolchain.includeDirs.front() +
                                ", where the headers of this library should be; set POPSCOPE_INCLUDE_DIR to the folder "
                                "that holds poplar/Vertex.hpp");
}

} // namespace

CompileTools findCompileTools() {
  const CodeletToolchain toolchain = findToolchain();
  requireHeaders(toolchain);
  ContentHash version;
  version.add(registryVersion()).add(headersHash(toolchain)).add(programIdentity(toolchain.compiler));
  return {toolchain, CompileCache(toolchain.cacheDir), version.hex()};
}

Words knownFolders(const CompileTools &tools) {
  Words folders = compilerFacts(tools.toolchain.compiler).systemFolders;
  folders.push_back(standInHeaders());
  folders.push_back(tools.cache.folder());
  folders.insert(folders.end(), tools.toolchain.includeDirs.begin(), tools.toolchain.includeDirs.end());
  return normalFolders(folders);
}

namespace {
constexpr const char *kDevicePaths = "-D__IPU__";

/// Returns the option with which functions take and return the compiler's own half. The option has another name since
/// LLVM 16.
const char *halfArgumentsOption() {
  const std::string suffix = llvmSuffix(); // "-19"
  const bool renamed = suffix.size() > 1 && std::stoul(suffix.substr(1)) >= 16;
  return renamed ? "-fnative-half-arguments-and-returns" : "-fallow-half-arguments-and-returns";
}

/// Returns whether the flag makes the compiler add calls of its own runtime library, which the host program lacks.
bool needsCompilersRuntime(const std::string &flag) {
  for (const char *prefix :
       {"-fsanitize=", "-fsanitize-coverage", "-fprofile-arcs", "-fprofile-generate", "-fprofile-instr-generate",
        "-fcs-profile-generate", "-fcoverage-mapping", "--coverage", "-fmemory-profile"})
    if (flag.rfind(prefix, 0) == 0)
      return true;
  return false;
}

/// Returns whether the compiler writes no object of machine code if it gets the flag.
bool leavesOutObject(const std::string &flag) {
  for (const char *one :
       {"-fsyntax-only", "-ast-dump", "-emit-ast", "-emit-llvm", "--analyze", "-E", "-S", "-M", "-MM"})
    if (flag == one)
      return true;
  return flag.rfind("-flto", 0) == 0;
}

/// Returns whether the compiler takes the next word as the flag's value, if the flag stands alone.
bool takesNextWord(const std::string &flag) {
  for (const char *one : {"-D",          "-I",       "-U",           "-F",        "-L",       "-T",
                          "-o",          "-x",       "-include",     "-imacros",  "-isystem", "-iquote",
                          "-idirafter",  "-iprefix", "-iwithprefix", "-isysroot", "-Xclang",  "-Xpreprocessor",
                          "-Xassembler", "-Xlinker", "-mllvm",       "-target",   "-arch",    "-MF",
                          "-MT",         "-MQ"})
    if (flag == one)
      return true;
  return false;
}

void checkFlags(const CodeletSource &source, const Words &flags) {
  if (!flags.empty() && takesNextWord(flags.back()))
    throw poplar::graph_program_compilation_error(source.file + ": the flag '" + flags.back() +
                                                  "' is the last flag and has no value; give one, or leave it out");
  const auto refused = std::find_if(flags.begin(), flags.end(), needsCompilersRuntime);
  if (refused != flags.end())
    throw poplar::graph_program_compilation_error(
        source.file + ": codelets cannot be compiled with the flag '" + *refused +
        "': the code would need a runtime library of the compiler, but codelets are loaded into a running program "
        "without that library; leave out the flag");
  const auto noObject = std::find_if(flags.begin(), flags.end(), leavesOutObject);
  if (noObject != flags.end())
    throw poplar::graph_program_compilation_error(
        source.file + ": codelets cannot be compiled with the flag '" + *noObject +
        "': with it, the compiler writes no machine code; leave out the flag");
}
} // namespace

Words languageArguments(const CodeletSource &source, const CodeletOptions &options, const CodeletToolchain &toolchain) {
  const Words flags = splitFlags(options.flags);
  checkFlags(source, flags);
  Words args = {"-x", source.isC ? "c" : "c++"};
  if (!source.isC)
    args.push_back("-std=c++17");
  args.insert(args.end(), {"-D__POPC__", "-Wno-unknown-attributes", "-Wno-ignored-attributes"});
  const bool halfAsFloat = hasHalfAsFloat(source, options);
  if (halfAsFloat)
    args.emplace_back("-DPOPSCOPE_HALF_AS_FLOAT");
  else // half is the compiler's own type, with arithmetic that rounds after each operation
    args.insert(args.end(),
                {"-DPOPSCOPE_NATIVE_HALF", "-Xclang", "-fnative-half-type", "-Xclang", halfArgumentsOption()});
  args.insert(args.end(), {"-include", "stdint.h"}); // every header of a tile's standard library includes stdint.h
  if (const Architecture &arch = targetArchitecture(options.target); !arch.isHost())
    args.push_back(std::string(kTargetArgument) + std::to_string(arch.version));
  for (const std::string &dir : toolchain.includeDirs)
    args.insert(args.end(), {"-isystem", dir, "-isystem", dir + "/poplar"});         // <Vertex.hpp>, as with the SDK
  args.insert(args.end(), {"-iquote", source.folder.empty() ? "." : source.folder}); // the compiler reads a copy
  const bool asked = std::find(flags.begin(), flags.end(), kDevicePaths) != flags.end();
  if (!targetArchitecture(options.target).isHost() && !source.isC &&
      (toolchain.devicePaths || asked)) // builtins need no header in this case
    args.insert(args.end(), {kDevicePaths, "-include", "ipu_builtins.h"});
  if (source.isForHost)
    args.insert(args.end(), {"-include", "poplar/Vertex.hpp"}); // POPSCOPE_TILE_ONLY
  args.insert(args.end(), flags.begin(), flags.end());
  // The compiler of the host reports a conversion of half to float as a double promotion; the tile's compiler does not.
  // CompileSource drops these reports, and afterwards makes the other promotions errors again.
  args.emplace_back("-Wno-error=double-promotion");
  return args;
}

bool hasHalfAsFloat(const CodeletSource &source, const CodeletOptions &options) {
  return options.halfAsFloat && !source.isC; // C has no vertices, and no half type of Popscope
}

Words standInArguments(const CodeletSource &source, CodeletOptions options, const CodeletToolchain &toolchain) {
  options.halfAsFloat = false;
  return languageArguments(source, options, toolchain);
}

Words hostCommand(const Words &language, const CodeletToolchain &toolchain) {
  Words command = {toolchain.compiler, "-O2"};
  command.insert(command.end(), language.begin(), language.end());
  // The names of classes come from their type_info.
  command.insert(command.end(), {"-frtti", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
                                 "-ffp-contract=off", "-fno-access-control", "-ffunction-sections", "-fdata-sections"});
  return command;
}

const Architecture &targetArchitecture(const std::string &target) {
  // "ipu2:cpp" is a variant of ipu2's code under a name that the user chose.
  if (const Architecture *known = findArchitecture(target.substr(0, target.find(':'))))
    return *known;
  throw poplar::poplar_error("codelets cannot be compiled for the target '" + target + "'; the targets are " +
                             architectureNames(true, "and"));
}

} // namespace popscope
