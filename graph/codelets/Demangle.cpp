#include "graph/codelets/Demangle.hpp"

#include "base/ReadNumber.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <string_view>

namespace popscope {

namespace {

/// Returns "a::b" for "N1a1bE", "a" for "1a", and "" for any other form.
std::string plainName(std::string_view name) {
  if (name.size() > 2 && name.front() == 'N' && name.back() == 'E')
    name = name.substr(1, name.size() - 2);
  std::string text;
  while (!name.empty()) {
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    const auto length = readWhole(name.substr(0, digits), {1, name.size() - digits});
    if (!length)
      return "";
    text += (text.empty() ? "" : "::") + std::string(name.substr(digits, *length));
    name.remove_prefix(digits + *length);
  }
  return text;
}

} // namespace

// The C++ library refuses names of more than 1,024 bytes, so that its recursion is bounded.
std::string demangled(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text); // NOLINT: __cxa_demangle gives memory of malloc
  if (status != 0)
    if (std::string plain = plainName(name); !plain.empty())
      return plain;
  return result;
}

std::string demangledSymbol(const std::string &name) { return name.rfind("_Z", 0) == 0 ? demangled(name) : name; }

} // namespace popscope
