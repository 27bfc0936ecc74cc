// CompileStandIn: compiles a registration unit for RV32 and links it to an image at fixed addresses.
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Process.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Links objects to an image at fixed addresses; of what several define, the first one's is taken. What none defines
/// leads to LibraryCalls. "" or the problem.
std::string linkStandIn(const std::vector<std::string> &objects, const std::string &image);
/// The compiler's command for the stand-in, to which the product ("-c", ...), "-o", a file and a unit are to be added.
/// `language`: the arguments that the host's compiler gets.
std::vector<std::string> standInCommand(const CodeletToolchain &toolchain, const std::vector<std::string> &language,
                                        const CompileCache &cache);
/// What is missing on this machine; "" = nothing.
std::string whyNoStandIn();
/// The problem of a compile with that command; "" = none.
std::string standInErrors(const ProcessResult &result);
/// The C library's headers: a folder that CMake found when Popscope was built, or the one the user names.
std::string standInHeaders();
/// Changes when images made by an earlier version must not be used: part of every cache key.
std::string standInCompilerVersion();

} // namespace popscope
