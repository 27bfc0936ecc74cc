// CompileTools: what all compilations of a call share, and the arguments that the compiler gets.
#pragma once
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Compiler, cache and what is asked of the machine once for a call.
struct CompileTools {
  CodeletToolchain toolchain;
  CompileCache cache;
  std::string version; // hash of all that every compilation depends on beside the source and its arguments
};
/// Throws poplar::file_load_error when the headers of codelets are not where they should be.
CompileTools findCompileTools();

/// Folders, as liesIn takes them, of headers that come with Popscope or with the compiler: nobody edits them.
std::vector<std::string> knownFolders(const CompileTools &tools);

/// True when the host's code of the source has halves of four bytes.
bool hasHalfAsFloat(const CodeletSource &source, const CodeletOptions &options);

/// Arguments that the parser and the compiler of the host's code share.
std::vector<std::string> languageArguments(const CodeletSource &source, const CodeletOptions &options,
                                           const CodeletToolchain &toolchain);
/// The same for the stand-in's compiler: halves have two bytes on a tile.
std::vector<std::string> standInArguments(const CodeletSource &source, CodeletOptions options,
                                          const CodeletToolchain &toolchain);

/// How the host's code is made, whatever is made of it: begins with the compiler, ends before the product.
std::vector<std::string> hostCommand(const std::vector<std::string> &language, const CodeletToolchain &toolchain);

} // namespace popscope
