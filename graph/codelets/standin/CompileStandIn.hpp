// CompileStandIn: compiles a registration unit (RegistrationUnit.hpp) for RV32, and links the object to an image at
// fixed addresses.
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Process.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Links objects to an image at fixed addresses. If several objects define a symbol, takes the first definition.
/// Symbols may stay undefined, because LibraryCalls executes calls of such symbols. Returns the problem, or "" if
/// linking succeeded. Throws poplar::graph_program_compilation_error if the linker cannot be started.
std::string linkStandIn(const std::vector<std::string> &objects, const std::string &image);
/// Returns the compiler's command. The caller adds the kind of output ("-c", ...), "-o", the output file and the unit.
/// `language` lists the language arguments (standInArguments).
std::vector<std::string> standInCommand(const CodeletToolchain &toolchain, const std::vector<std::string> &language,
                                        const CompileCache &cache);
/// Returns the reason why this computer cannot compile stand-ins (a missing tool or header), or "" if there is no such
/// reason.
std::string whyNoStandIn();
/// Returns the problem if the compiler's command (standInCommand) failed, or "" if the command succeeded.
std::string standInErrors(const ProcessResult &result);
/// Returns the folder of the C library's headers: the value of the environment variable POPSCOPE_STANDIN_INCLUDE, or
/// the folder that CMake found when Popscope was built.
std::string standInHeaders();
/// Returns a version that changes whenever images of earlier versions must not be used. The cache key of every
/// compilation with a stand-in contains this version.
std::string standInCompilerVersion();

} // namespace popscope
