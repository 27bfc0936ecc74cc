#include "base/Environment.hpp"

#include <cstdlib>

namespace popscope {

std::optional<std::string> environmentVariable(const std::string &name) {
  const char *value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

} // namespace popscope
