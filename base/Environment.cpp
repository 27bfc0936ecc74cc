#include "base/Environment.hpp"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <vector>

namespace popscope {

std::optional<std::string> environmentVariable(const std::string &name) {
  const char *value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string homePath(const std::string &path) {
  if (path.empty() || path[0] != '~' || (path.size() > 1 && path[1] != '/'))
    return path;
  std::string home = environmentVariable("HOME").value_or("");
  if (home.empty()) {
    passwd entry{}, *found = nullptr;
    std::vector<char> text(16384);
    if (::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found) == 0 && found != nullptr)
      home = found->pw_dir;
  }
  return home.empty() ? path : home + path.substr(1);
}

} // namespace popscope
