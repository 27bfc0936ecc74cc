// Reads the command line of popc. popc accepts the forms of options that existing build files use: "-DX=1", "-D X=1",
// "-Idir" and "-I dir". Options may follow inputs. popc passes compiler flags on to the compiler.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

/// A target for which popc compiles. Graph::addCodelets finds the code of the target by `name`.
struct PopcTarget {
  std::string name, architecture;
  std::vector<std::string> flags; // compiler flags for this target, in addition to the flags for all targets
};

struct PopcArguments {
  std::vector<std::string> inputs, compilerFlags;
  std::vector<PopcTarget> targets;
  std::string output;
  std::optional<CodeletView> view; // what popc writes instead of a graph object: -E, -S, --emit-llvm or -c
  unsigned jobs = 0;               // number of sources to compile at a time; 0 means the number of cores
  bool devicePaths = false, listTargets = false, version = false, verbose = false, help = false;
};

/// Parses the words of the command line. Throws std::invalid_argument for a wrong command line; the message is the
/// sentence to show to the user.
PopcArguments parsePopcArguments(const std::vector<std::string> &words);
std::string popcHelp();

} // namespace popscope
