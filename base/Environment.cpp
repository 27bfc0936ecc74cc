#include "base/Environment.hpp"

#include <algorithm>
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
  if (path.empty() || path[0] != '~')
    return path;
  const std::size_t rest = std::min(path.find('/'), path.size());
  const std::string user = path.substr(1, rest - 1);
  std::string home = user.empty() ? environmentVariable("HOME").value_or("") : "";
  if (home.empty()) {
    passwd entry{}, *found = nullptr;
    std::vector<char> text(16384);
    const int failed = user.empty() ? ::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found)
                                    : ::getpwnam_r(user.c_str(), &entry, text.data(), text.size(), &found);
    if (failed == 0 && found != nullptr)
      home = found->pw_dir;
  }
  return home.empty() ? path : home + path.substr(rest);
}

} // namespace popscope
