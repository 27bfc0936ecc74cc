// LinkLibraries: links relocatable objects of codelets to the files that are loaded, a shared object and a stand-in
// image. Another source, added later, may define a function that a source uses; until then, the library lists the
// function as missing.
//
//   a.cpp: class A calls f(int)     b.cpp: int f(int)      a alone: missing {f(int)}      a with b: whole
#pragma once
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Returns whether the host object has a function or variable that other sources can name.
[[nodiscard]] bool definesFunctions(const std::string &hostObject);

/// Links the objects of `library`, which `file` was compiled to, into files of `work`. Throws
/// poplar::graph_program_compilation_error when the linker fails for another reason than missing functions.
void linkAlone(const std::string &file, const CodeletToolchain &toolchain, const WorkFolder &work,
               CompiledLibrary &library);

/// Returns the library linked with those of its missing symbols that `others` define. Stores the result in the cache.
[[nodiscard]] CompiledLibrary linkWithOthers(const CompiledLibrary &library,
                                             const std::vector<const CompiledLibrary *> &others);

} // namespace popscope
