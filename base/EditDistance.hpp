// Spelling help for messages: finds the known name that the user probably meant.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// Returns the smallest number of insertions, deletions, replacements and swaps of neighbouring characters that turns
/// `a` into `b`. Swapped characters are not edited again (optimal string alignment). Cost: O(|a| * |b|).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// Returns the known name with the smallest edit distance to `name`. Upper and lower case do not count as different. If
/// several names are equally near, returns the first of them. Returns "" if no known name is near enough. A known name
/// is near enough if the edit distance is at most a third of the length of the longer of the two names.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string> &known);

/// Returns " Did you mean \"X\"?", to append to a message, or "" if no known name is near enough.
[[nodiscard]] std::string didYouMean(std::string_view name, const std::vector<std::string> &known);

} // namespace popscope
