// CompileTogether: compiles several units with the same command in one process of the compiler. Starting the compiler
// and loading the precompiled header together take as long as compiling a small unit. The output of each unit equals,
// byte for byte, the output of a separate compilation of the unit. If the compiler prints a message, compileTogether
// discards all results of the process. The caller then compiles each unit alone, so that each message refers to the
// right source. From its second unit on, a process of the compiler may omit warnings, because the process applies
// pragmas of the first unit by line number. The caller must therefore pass only units for which no warning is expected.
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/PrecompiledHeader.hpp"

#include <string>
#include <vector>

namespace popscope {

/// A unit that is not compiled yet, and for which no compiler warning is expected.
struct WaitingUnit {
  PrecompiledHeader head;
  std::vector<std::string> command; // begins with the compiler; the output file and later arguments follow the command
  std::string source;               // path, "<folder>/<name>.cpp", or .c for C; the object: "<folder>/<name>.o"
  std::vector<std::string> headers; // the user's headers that the parser saw for this unit
  bool isCompiled = false;          // true: compileTogether has compiled the unit
  std::vector<std::string> files;   // all files read for the unit, including its head; absolute, sorted, each once

  [[nodiscard]] std::string object() const { return source.substr(0, source.rfind('.')) + ".o"; }
};

/// Compiles groups of units that have the same head, command and file name. Leaves a group unchanged if the group has
/// fewer than four units for each thread, or if the command cannot serve several units. If the compiler fails or prints
/// a message in a process, all units of this process also stay unchanged.
void compileTogether(const std::vector<WaitingUnit *> &units, Threads threads);

} // namespace popscope
