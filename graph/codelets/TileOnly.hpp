// TileOnly: handles functions of a codelet source that only a tile can run. Such functions contain assembly, builtins
// that the host does not have, or 32-bit pointers. TileOnly replaces the bodies of these functions, so that the other
// vertices of the file can run. If a vertex calls such a function, the run ends with the compiler's message.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

struct SourceForHost {
  CodeletSource source; // without the bodies of functions that only a tile can run, in the source's text and in the
                        // user's headers; line numbers are the same
  std::string warnings; // one line per warning, in the compiler's form
};

/// Maximum number of times that a source is compiled again without more functions. Each attempt finds errors that the
/// compiler did not reach before.
constexpr unsigned kMaxTileOnlyAttempts = 16;

/// Replaces the bodies of the functions to which the errors in `message` belong, because only a tile can run them.
/// Returns no value if an error has another cause than code for a tile, or lies in a system header or outside all
/// functions. Also returns no value if the message contains no error, or if the source is C. `message` is the
/// compiler's output for the source; `language` lists the compiler's arguments.
std::optional<SourceForHost> withoutTileOnly(const CodeletSource &source, const std::string &message,
                                             const std::vector<std::string> &language);

} // namespace popscope
