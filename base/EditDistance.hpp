// Spelling help for messages: finds the known name that the user probably meant.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// Returns the smallest number of insertions, deletions, replacements and swaps of neighbours that turns `a` into `b`.
/// O(|a| * |b|).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// Returns the name nearest to `name`, ignoring case. If several are equally near, returns the first. Returns "" if
/// none is near enough to be a typing error: at most a third of the longer word's letters may differ.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string> &known);

/// Returns " Did you mean \"X\"?" or "", for the end of a message.
[[nodiscard]] std::string didYouMean(std::string_view name, const std::vector<std::string> &known);

} // namespace popscope
