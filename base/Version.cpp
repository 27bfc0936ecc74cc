#include "base/Version.hpp"

#include <algorithm>
#include <string_view>

namespace popscope {
namespace {

std::string_view digitsAt(std::string_view text, std::size_t begin) {
  const auto end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  return text.substr(begin, end - begin);
}

} // namespace

std::string versionForPeople(const std::string &versionText) {
  constexpr std::string_view kBetween = " (popscope ";
  const std::string_view text = versionText;
  const auto at = text.find(kBetween);
  if (at == std::string_view::npos || text.back() != ')')
    return versionText;
  const std::string_view interface = text.substr(0, at);
  const std::string_view own = text.substr(at + kBetween.size(), text.size() - 1 - at - kBetween.size());
  const std::string_view major = digitsAt(interface, 0);
  const bool hasMinor = major.size() + 1 < interface.size() && interface[major.size()] == '.';
  const std::string_view minor = hasMinor ? digitsAt(interface, major.size() + 1) : std::string_view();
  if (major.empty() || minor.empty() || own.empty() || own.find_first_of("()") != std::string_view::npos ||
      interface.find_first_not_of(".0123456789") != std::string_view::npos)
    return versionText;
  return "Popscope " + std::string(own) + " (Poplar interface " + std::string(major) + "." + std::string(minor) + ")";
}

} // namespace popscope
