#include "report/answers/NoMatch.hpp"

#include "base/EditDistance.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace popscope {
namespace {

struct Flag {
  std::string text; // as the user gave it
  Selection alone;  // a selection with only this flag
};

std::vector<Flag> flagsOf(const Selection &selection) {
  std::vector<Flag> flags;
  for (const auto &[name, text] : {std::pair("--tiles", &Selection::tiles),
                                   {"--ipu", &Selection::ipuText},
                                   {"--steps", &Selection::steps},
                                   {"--runs", &Selection::runs}})
    if (!(selection.*text).empty()) {
      Flag flag{fmt::format("{} {}", name, selection.*text), {}};
      flag.alone.*text = selection.*text;
      if (text == &Selection::ipuText)
        flag.alone.ipu = selection.ipu;
      flags.push_back(std::move(flag));
    }
  return flags;
}

} // namespace

AnswerError noMatch(const Named &named, const std::string &argument, const Selection &selection) {
  const auto leavesNone = [&](const Selection &some) {
    const std::vector<std::string> names = named.within(some);
    return std::none_of(names.begin(), names.end(), named.isMatch);
  };
  const std::vector<Flag> flags = flagsOf(selection);
  if (flags.empty() || leavesNone({}))
    return AnswerError(argument.empty() ? fmt::format("the profile contains no {}", named.what)
                                        : fmt::format("no {} {} \"{}\".{} popscope {} PROFILE lists all {}s",
                                                      named.what, named.matches, argument,
                                                      didYouMean(argument, named.within({})), named.list, named.what));
  const std::string each = argument.empty()
                               ? fmt::format("each {}", named.what)
                               : fmt::format("each {} that {} \"{}\"", named.what, named.matches, argument);
  std::string together;
  for (const Flag &flag : flags) {
    if (leavesNone(flag.alone))
      return AnswerError(flag.text + " leaves out " + each);
    together += (together.empty() ? "" : " ") + flag.text;
  }
  return AnswerError(together + " together leave out " + each);
}

} // namespace popscope
