#include "graph/codelets/Demangle.hpp"

#include <cstdlib>
#include <cxxabi.h>

namespace popscope {

std::string demangled(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text); // NOLINT: __cxa_demangle gives memory of malloc
  return result;
}

} // namespace popscope
