// Numbers as people write them. The one place that reads them for options, the environment and the tools: all of the
// text, digits only, inside a range that is stated. No sign, no space, nothing that wraps.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace popscope {

/// Both ends are allowed.
struct NumberRange {
  std::uint64_t min = 0, max = std::numeric_limits<std::uint64_t>::max();
};

/// The number that `text` spells; nothing if it is no whole number or lies outside of the range. `base`: 10 or 16,
/// without prefix.
[[nodiscard]] std::optional<std::uint64_t> readWhole(std::string_view text, NumberRange range = {}, int base = 10);
/// The same of the digits that `text` begins with, which are taken off it; nothing, and `text` as it was, without any
/// or out of range.
[[nodiscard]] std::optional<std::uint64_t> takeWhole(std::string_view &text, NumberRange range = {});
/// A finite number such as 0.5 or -1e3.
[[nodiscard]] std::optional<double> readReal(std::string_view text);
/// "a whole number from 1 to 64"; "a whole number" and "a whole number of at least 1" where there is no upper limit.
[[nodiscard]] std::string describeRange(NumberRange range);

} // namespace popscope
