// TileOnly: handles functions of a codelet source that only a tile can run. Such functions contain assembly, use
// builtins that the host does not have, or assume that pointers have 32 bits. TileOnly replaces the bodies of these
// functions, so that the other vertices of the file can run. If a vertex calls such a function, the run ends with the
// compiler's message about the function. Outside of functions, TileOnly leaves out assembly, and assertions
// (static_assert) that hold only for 32-bit pointers.
#pragma once
#include "graph/codelets/CompileTools.hpp"

#include <string>

namespace popscope {

/// A codelet source that Popscope compiles for the host. If the compilation fails because of code that only a tile can
/// run, takeTileOnlyOut() replaces or removes this code, and Popscope compiles the source again.
struct SourceForHost {
  CodeletSource source; // the text and the user's headers, without the parts that only a tile can run; line numbers
                        // are the same as in the user's files
  std::string warnings = {}; // one line per replaced part, in the compiler's form
  unsigned attempts = 0;     // number of calls of takeTileOnlyOut that returned true

  /// Replaces the bodies of the functions to which the errors in `message` belong, because only a tile can run these
  /// bodies. Outside of functions, leaves out the assembly and the assertions to which errors belong. `message` is the
  /// compiler's output for the source. Returns false, and changes nothing, if an error has another cause than code for
  /// a tile. Also returns false if an error lies in a system header, or if an error outside of all functions lies in a
  /// declaration other than assembly and assertions. The function also returns false if the message contains no error,
  /// if the source is C, or after 16 attempts. Each attempt finds errors that the compiler did not reach before.
  bool takeTileOnlyOut(const std::string &message, const CodeletOptions &options, const CodeletToolchain &toolchain);
};

} // namespace popscope
