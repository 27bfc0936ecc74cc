// Demangle: converts a name in object code to the name in C++.
#pragma once
#include <string>

namespace popscope {

/// Returns the demangled name of a function or type, or `name` itself if `name` is not mangled.
std::string demangled(const std::string &name);
/// Returns the demangled name of a symbol in object code. A name that does not begin with _Z is a C name, and stays
/// unchanged.
std::string demangledSymbol(const std::string &name);

} // namespace popscope
