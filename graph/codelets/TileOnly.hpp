// TileOnly: handles functions of a codelet source that only a tile can run. Such functions contain assembly, builtins
// that the host does not have, or 32-bit pointers. TileOnly replaces the bodies of these functions, so that the other
// vertices of the file can run. If a vertex calls such a function, the run ends with the compiler's message.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

struct TextForHost {
  std::string text;     // the source without the bodies of functions that only a tile can run; same line numbers
  std::string warnings; // one line per warning, in the compiler's form
};

/// Replaces the bodies of the functions to which the errors in `message` belong, because only a tile can run these
/// bodies. Returns no value if an error has another cause than code for a tile, or lies outside the functions of this
/// file. Also returns no value if the message contains no error, or if the source is C. `message` is the compiler's
/// output for the source; `language` lists the compiler's arguments.
std::optional<TextForHost> withoutTileOnly(const CodeletSource &source, const std::string &message,
                                           const std::vector<std::string> &language);

} // namespace popscope
