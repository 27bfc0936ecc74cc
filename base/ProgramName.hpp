// The name of the running program, by which people know its profiles and folders.
#pragma once
#include <span>
#include <string>

namespace popscope {

/// Returns the file name of the executable; under an interpreter of Python that of the script, or of the module after
/// -m. "program" if the system does not report it.
[[nodiscard]] std::string programName();
/// Does the same for an executable's file name and the words of its command line, argv[0] included.
[[nodiscard]] std::string programName(const std::string &executable, std::span<const std::string> words);

} // namespace popscope
