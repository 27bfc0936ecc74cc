// CompileTools: data that all compilations of one call of compileLibraries share, and the compiler's arguments.
#pragma once
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"

#include <string>
#include <vector>

namespace popscope {

/// The compiler, the cache and the version of the tools. compileLibraries determines these data once for all of its
/// jobs.
struct CompileTools {
  CodeletToolchain toolchain;
  CompileCache cache;
  std::string version; // hash of the registry, the headers of codelets and the host's compiler
};
/// Finds the tools. Throws poplar::file_load_error if the headers of codelets are missing.
CompileTools findCompileTools();

/// Returns the folders of headers that users do not edit: the headers of Popscope, of the compiler and of the
/// substitute instruction set, and the cache. The result has the form that liesIn takes.
std::vector<std::string> knownFolders(const CompileTools &tools);

/// Returns whether the source is compiled for the host with halves of four bytes (CodeletOptions::halfAsFloat). Returns
/// false for a C source.
bool hasHalfAsFloat(const CodeletSource &source, const CodeletOptions &options);

/// Returns the arguments that the parser and the compiler of the host's code share. Throws
/// poplar::graph_program_compilation_error if a flag needs a runtime library of the compiler, such as -fsanitize=, or
/// if the last flag lacks its value.
std::vector<std::string> languageArguments(const CodeletSource &source, const CodeletOptions &options,
                                           const CodeletToolchain &toolchain);
/// Returns the arguments for the compiler of the substitute instruction set, in which halves have two bytes.
std::vector<std::string> standInArguments(const CodeletSource &source, CodeletOptions options,
                                          const CodeletToolchain &toolchain);

/// Returns the command for the host's code, from the compiler to the last argument before the output file.
std::vector<std::string> hostCommand(const std::vector<std::string> &language, const CodeletToolchain &toolchain);

} // namespace popscope
