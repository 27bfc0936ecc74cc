#include "graph/lowering/NameFilter.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

#include <regex>

namespace popscope {
namespace {

constexpr std::size_t kLongestPattern = 1000; // maximum number of characters, because the parser recurses

#ifdef __GLIBCXX__
// Selects the matcher that neither backtracks nor recurses over the name.
constexpr auto kSyntax = std::regex::ECMAScript | std::regex_constants::__polynomial;
#else
constexpr auto kSyntax = std::regex::ECMAScript;
#endif

} // namespace

struct NameFilter::Expression {
  std::regex regex;
};

NameFilter::NameFilter(const char *option, const std::string &pattern) {
  if (pattern.empty())
    return;
  if (pattern.size() > kLongestPattern)
    throw poplar::invalid_option(
        fmt::format("engine option \"{}\": the regular expression has {} characters; at most {} are allowed", option,
                    pattern.size(), kLongestPattern));
  try {
    expression_ = std::make_unique<const Expression>(Expression{std::regex(pattern, kSyntax)});
  } catch (const std::regex_error &e) {
    throw poplar::invalid_option(
        fmt::format("engine option \"{}\": value \"{}\" is not a regular expression ({}); give one in the syntax of "
                    "ECMAScript without references to groups, such as \"stage.*|op2\"",
                    option, pattern, e.what()));
  }
}

NameFilter::~NameFilter() = default;

bool NameFilter::matches(const std::string &name) const {
  return expression_ && std::regex_match(name, expression_->regex);
}

} // namespace popscope
