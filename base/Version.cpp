#include "base/Version.hpp"

#include <regex>

namespace popscope {

std::string versionForPeople(const std::string &versionText) {
  static const std::regex form("([0-9]+\\.[0-9]+)[.0-9]* \\(popscope ([^()]+)\\)");
  std::smatch match;
  if (!std::regex_match(versionText, match, form))
    return versionText;
  return "Popscope " + match[2].str() + " (Poplar interface " + match[1].str() + ")";
}

} // namespace popscope
