// CompilerFacts: the include folders and the link command of a compiler.
#pragma once
#include <string>
#include <vector>

namespace popscope {

struct CompilerFacts {
  /// The compiler's default folders for #include <...>, as the compiler lists them. Excludes folders that flags or
  /// environment variables add.
  std::vector<std::string> systemFolders;
  /// The linker's command for a shared library, in which kLinkedObjects stands for the objects and kLinkedOutput for
  /// the output. The list is empty if the compiler does not print this command.
  std::vector<std::string> link;
};
constexpr const char *kLinkedObjects = "/dev/null", *kLinkedOutput = "popscope-linked-output";

/// Returns the command that the compiler driver would start for the command line `words`. The result begins with the
/// command's name. Returns an empty list if the compiler would start several commands or none.
std::vector<std::string> driversCommand(std::vector<std::string> words);

/// Returns the compiler's own command to link a shared library. The command contains neither objects nor an output
/// file. With this command, the linker takes the first definition if two objects define a symbol. The linker also drops
/// unreachable code together with the undefined symbols of this code.
std::vector<std::string> driverLinkCommand(const std::string &compiler);

/// Returns the facts. Runs `compiler` at the first call for `compiler` in a process, and again if the name `compiler`
/// later refers to another program. Thread-safe.
const CompilerFacts &compilerFacts(const std::string &compiler);

} // namespace popscope
