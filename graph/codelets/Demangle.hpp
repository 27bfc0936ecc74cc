// Demangle: a name of object code as C++ writes it.
#pragma once
#include <string>

namespace popscope {

/// `name` itself when it is not a mangled name. Of functions and of types.
std::string demangled(const std::string &name);

} // namespace popscope
