// Demangle: converts a name in object code to the name in C++.
#pragma once
#include <string>

namespace popscope {

/// Returns the demangled name of a function or type, or `name` itself if `name` is not mangled.
std::string demangled(const std::string &name);

} // namespace popscope
