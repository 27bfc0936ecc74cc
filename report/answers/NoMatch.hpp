// NoMatch: the message for an argument, such as VAR of `popscope vars`, that selects nothing.
//
//   no variable matches "wieghts". Did you mean "weights"? popscope vars PROFILE lists all variables
//   --tiles 7 leaves out each variable that matches "weights"
#pragma once
#include "report/answers/Selection.hpp"

#include <functional>

namespace popscope {

/// A kind of object that an argument can select by name.
struct Named {
  std::string what;                                 // the name of the kind in the singular, such as "variable"
  std::string list;                                 // the sub-command that lists all objects of this kind
  std::string matches = "matches";                  // the verb between "no variable" and the argument
  std::function<bool(const std::string &)> isMatch; // whether the argument selects a name
  /// Returns the names that remain within the tiles, IPU, steps and runs of a selection.
  std::function<std::vector<std::string>(const Selection &)> within;
};

/// Returns the error for an argument that selects none of the names within the selection. If the whole profile contains
/// no match, the message suggests the nearest name, if one is similar. If the profile contains matches, the message
/// names the first flag that alone leaves out all matches. If no single flag leaves out all matches, the message names
/// all flags of the selection.
[[nodiscard]] AnswerError noMatch(const Named &named, const std::string &argument, const Selection &selection);

} // namespace popscope
