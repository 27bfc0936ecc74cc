// CompilerFacts: what a compiler tells of itself.
#pragma once
#include <string>
#include <vector>

namespace popscope {

struct CompilerFacts {
  /// Where <...> is looked for without flags, as the compiler writes them; without those of environment variables.
  std::vector<std::string> systemFolders;
  /// The linker's command for a shared library: kLinkedObjects stands for the objects, kLinkedOutput for the output.
  /// Empty when the compiler does not tell it.
  std::vector<std::string> link;
};
constexpr const char *kLinkedObjects = "/dev/null", *kLinkedOutput = "popscope-linked-output";

/// What the compiler would start for these words, its own name first, if that is one command. Empty otherwise.
std::vector<std::string> driversCommand(std::vector<std::string> words);

/// How the compiler itself links a shared library, without objects and output. Of what two objects define the first
/// one's is taken. What nothing reaches is dropped, with what it would miss.
std::vector<std::string> driverLinkCommand(const std::string &compiler);

/// Asks `compiler` once per process, and again when another program stands under its name. Thread-safe.
const CompilerFacts &compilerFacts(const std::string &compiler);

} // namespace popscope
