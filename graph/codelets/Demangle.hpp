// Demangle: a name of object code as C++ writes it.
#pragma once
#include <string>

namespace popscope {

/// Returns the demangled name of a function or type, or `name` itself if it is not mangled.
std::string demangled(const std::string &name);

} // namespace popscope
