// Spelling help for messages: which of the known names did the user mean?
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// Smallest number of insertions, deletions, replacements and swaps of neighbours that turns `a` into `b`.
/// O(|a| * |b|).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// The name nearest to `name`, ignoring case; the first one of equals. "" when none is near enough to be a slip:
/// at most a third of the longer word's letters may differ.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string> &known);

/// " Did you mean \"X\"?" or "" for the end of a message.
[[nodiscard]] std::string didYouMean(std::string_view name, const std::vector<std::string> &known);

} // namespace popscope
