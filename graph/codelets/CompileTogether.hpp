// CompileTogether: units that the same command compiles, several to a process of the compiler. To start it and to load
// what stands before a unit takes as long as compiling a small one. What comes of a unit is what it would be alone, to
// the byte; where the compiler has anything to say of one, none of its process counts and each is compiled alone, so
// that no message is told of another's source. A compiler that is at its second unit may leave warnings out, since it
// looks up by line what pragmas of the first one said: only units of which no warning is expected may wait here.
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/PrecompiledHeader.hpp"

#include <string>
#include <vector>

namespace popscope {

/// A unit that waits for the compiler, which has no warning of its source.
struct WaitingUnit {
  PrecompiledHeader head;
  std::vector<std::string> command; // begins with the compiler, ends before the product
  std::string source;               // path, "<folder>/<name>.cpp"; the object becomes "<folder>/<name>.o"
  std::vector<std::string> headers; // the user's that the parser saw: those of other units are not this one's
  bool isCompiled = false;          // by compileTogether
  std::vector<std::string> files;   // that were read for it, its head's too; absolute, sorted, each once

  [[nodiscard]] std::string object() const { return source.substr(0, source.rfind('.')) + ".o"; }
};

/// Compiles those that others have head and command in common with. The rest, and what does not compile without a word,
/// stays as it is.
void compileTogether(const std::vector<WaitingUnit *> &units, Threads threads);

} // namespace popscope
