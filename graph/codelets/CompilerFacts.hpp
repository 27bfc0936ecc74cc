// CompilerFacts: what a compiler tells of itself.
#pragma once
#include <string>
#include <vector>

namespace popscope {

struct CompilerFacts {
  /// Where <...> is looked for without flags, as the compiler writes them; without those of environment variables.
  std::vector<std::string> systemFolders;
};

/// Asks `compiler` once per process, and again when another program stands under its name. Thread-safe.
const CompilerFacts &compilerFacts(const std::string &compiler);

} // namespace popscope
