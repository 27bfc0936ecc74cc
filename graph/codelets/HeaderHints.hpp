// HeaderHints: for a compiler's message about an unknown name, finds the header of codelets that declares this name.
#pragma once
#include <string>
#include <vector>

namespace popscope {

/// Returns "hint: include <HEADER>, which declares 'NAME'" if `line` is an error about an unknown name that a header of
/// codelets declares. Returns "" for any other line. `includeDirs` lists the folders of these headers.
std::string headerHint(const std::string &line, const std::vector<std::string> &includeDirs);

/// Returns the hints of all lines of a compiler's output, one line per hint, each hint once.
std::string headerHints(const std::string &message, const std::vector<std::string> &includeDirs);

/// If `source` contains __IPU__, and the compiler's output `message` contains the text of an #error directive of
/// `source`, returns a line that states how to compile code for __IPU__. Otherwise returns "".
std::string devicePathHint(const std::string &source, const std::string &message);

} // namespace popscope
