// Numbers in user input. This is the only place that reads numbers for options, the environment and the tools. A text
// must consist of digits and lie within a stated range; signs, spaces and values that would wrap are refused.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace popscope {

/// A range of numbers with both ends inclusive.
struct NumberRange {
  std::uint64_t min = 0, max = std::numeric_limits<std::uint64_t>::max();
};

/// Returns the number that `text` spells, or nothing if it is no whole number or out of range. `base`: 10 or 16,
/// without a prefix.
[[nodiscard]] std::optional<std::uint64_t> readWhole(std::string_view text, NumberRange range = {}, int base = 10);
/// Takes the digits at the front of `text` and returns their number. Returns nothing, and leaves `text` as it was, if
/// there are none or the number is out of range.
[[nodiscard]] std::optional<std::uint64_t> takeWhole(std::string_view &text, NumberRange range = {});
/// Returns a finite number such as 0.5 or -1e3, or nothing.
[[nodiscard]] std::optional<double> readReal(std::string_view text);
/// Returns "a whole number from 1 to 64"; "a whole number" or "a whole number of at least 1" if there is no upper
/// limit.
[[nodiscard]] std::string describeRange(NumberRange range);

} // namespace popscope
