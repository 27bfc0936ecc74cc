// CompileStandIn: compiles a registration unit for RV32 and links it to an image at fixed addresses.
#pragma once
#include "graph/codelets/CodeletSet.hpp"

#include <string>
#include <vector>

namespace popscope {

struct StandInOutcome {
  std::string problem;
}; // empty = the image was written

/// Links objects to an image at fixed addresses; of what several define, the first one's is taken. What none defines
/// leads to LibraryCalls. "" or the problem.
std::string linkStandIn(const std::vector<std::string> &objects, const std::string &image);
/// `language`: the arguments that the host's compiler got. `product` is {"-c"}, {"-S"} or {"-S", "-emit-llvm"}. Never
/// throws for the user's sake: what does not compile for RV32 is told in `problem`.
StandInOutcome compileForStandIn(const CodeletToolchain &toolchain, const std::vector<std::string> &language,
                                 const std::string &unit, const std::string &output,
                                 const std::vector<std::string> &product);
/// Changes when images made by an earlier version must not be used: part of every cache key.
std::string standInCompilerVersion();

} // namespace popscope
