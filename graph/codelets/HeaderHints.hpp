// HeaderHints: names the header that declares a name of a tile, for a compiler's message about an unknown name.
#pragma once
#include <string>
#include <vector>

namespace popscope {

/// Returns "hint: include <HEADER>, which declares 'NAME'" if `line` is an error about an unknown name that a header of
/// codelets declares, or "" otherwise. `includeDirs` lists the folders of these headers.
std::string headerHint(const std::string &line, const std::vector<std::string> &includeDirs);

/// Returns the hints of all lines of a compiler's output, one line per hint, each hint once.
std::string headerHints(const std::string &message, const std::vector<std::string> &includeDirs);

/// Returns a line that states how to compile code for __IPU__, if the compiler's output has the text of an #error
/// directive of a source that tests __IPU__, or "" otherwise.
std::string devicePathHint(const std::string &source, const std::string &message);

} // namespace popscope
