// The name of the running program. Profiles contain this name. The name of a session's folder begins with this name.
#pragma once
#include <span>
#include <string>

namespace popscope {

/// Returns the file name of the executable. For a Python interpreter that runs a script or a module (-m), returns the
/// name of the script or of the module. Returns "program" if the system does not report the name.
[[nodiscard]] std::string programName();
/// Returns the program name for a given file name of an executable and the words of its command line, including
/// argv[0].
[[nodiscard]] std::string programName(const std::string &executable, std::span<const std::string> words);

} // namespace popscope
