#include "base/ReadNumber.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace popscope {

std::optional<std::uint64_t> readWhole(std::string_view text, NumberRange range, int base) {
  std::uint64_t value = 0;
  const char *const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, base);
  const bool good = result.ec == std::errc() && result.ptr == end && range.min <= value && value <= range.max;
  return good ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> takeWhole(std::string_view &text, NumberRange range) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto value = readWhole(text.substr(0, digits), range);
  if (value)
    text.remove_prefix(digits);
  return value;
}

std::optional<double> readReal(std::string_view text) {
  double value = 0;
  const char *const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string describeRange(NumberRange range) {
  if (range.max == NumberRange().max)
    return fmt::format("a whole number from {} on", range.min);
  return fmt::format("a whole number from {} to {}", range.min, range.max);
}

} // namespace popscope
