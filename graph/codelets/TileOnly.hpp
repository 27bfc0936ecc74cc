// TileOnly: handles functions of a codelet source that only a tile can run, because they contain assembly, builtins
// that the host does not have, or pointers in 32 bits. Their bodies are removed, so that the other vertices of the file
// can run. A vertex that calls such a function ends the run with the compiler's message.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

struct TextForHost {
  std::string text;     // line for line as the source, without the bodies
  std::string warnings; // one line each, in the compiler's form
};

/// Returns the text without functions that only a tile can run, or nothing if the compiler reports any other error.
/// `message` is the compiler's output for the source, and `language` is its arguments.
std::optional<TextForHost> withoutTileOnly(const CodeletSource &source, const std::string &message,
                                           const std::vector<std::string> &language);

} // namespace popscope
