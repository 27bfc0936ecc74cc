// Reads numbers in user input, such as options, environment variables and arguments of the tools. The functions for
// whole numbers accept only digits, and only numbers within a range. These functions reject signs, spaces and numbers
// of more than 64 bits.
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

/// Returns the number that `text` spells, or no value if `text` is not a whole number or the number is out of range.
/// `base` is 10 or 16; a text with a prefix such as 0x is not a number.
[[nodiscard]] std::optional<std::uint64_t> readWhole(std::string_view text, NumberRange range = {}, int base = 10);
/// Removes the digits at the front of `text` and returns the number that they spell. If there are no digits or the
/// number is out of range, returns no value and leaves `text` unchanged.
[[nodiscard]] std::optional<std::uint64_t> takeWhole(std::string_view &text, NumberRange range = {});
/// Returns the number that `text` spells, such as 0.5 or -1e3, or no value if `text` does not spell a finite number.
[[nodiscard]] std::optional<double> readReal(std::string_view text);
/// Returns a description such as "a whole number from 1 to 64". If the range has no upper limit, returns "a whole
/// number from 1 on".
[[nodiscard]] std::string describeRange(NumberRange range);

} // namespace popscope
