// LinkLibraries: links the relocatable objects of codelets into the two files that are loaded: a shared object and a
// stand-in image. A source may use a function that a later source defines. Until the later source is added, the library
// of the first source lists the function as missing.
//
//   a.cpp: class A calls f(int)     b.cpp: int f(int)      a alone: missing {f(int)}      a with b: complete
#pragma once
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

/// Returns whether the object file at the path `hostObject` defines a function or variable that other sources can use.
/// Returns false for "", and true for a file that is not ELF.
[[nodiscard]] bool definesFunctions(const std::string &hostObject);

/// Tags of the dynamic section that replace DT_INIT_ARRAY and DT_INIT_ARRAYSZ in a shared object without missing
/// functions. Because of these tags, loadLibrary() runs the initialisers, and the system's loader does not. An
/// exception of an initialiser could not pass through the system's loader.
constexpr std::int64_t kInitialisersTag = 0x60900001, kInitialisersBytesTag = 0x60900002;

/// Links the objects of `library`, compiled from `file`, into files in the folder `work`. Functions may be missing. If
/// linking the host's code fails for any other reason, throws poplar::graph_program_compilation_error. If the
/// stand-in's code does not link, sets standInProblem and does not throw.
void linkAlone(const std::string &file, const CodeletToolchain &toolchain, const WorkFolder &work,
               CompiledLibrary &library);

/// Returns the library, linked with hostFunctions and standInFunctions of all `others`. Functions that no object
/// defines remain in `missing`. Stores the result in the cache. Throws poplar::graph_program_compilation_error if
/// linking the host's code fails for a reason other than missing functions.
[[nodiscard]] CompiledLibrary linkWithOthers(const CompiledLibrary &library,
                                             const std::vector<const CompiledLibrary *> &others);

} // namespace popscope
