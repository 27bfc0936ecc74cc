// Formats numbers for the summary. All rounding happens here, in integers; ties are rounded away from zero.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace popscope {

/// Returns "1,234,567" for 1234567.
[[nodiscard]] std::string commas(std::uint64_t value);
/// Returns, for the noun "tile", "1 tile" or "2,000 tiles".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);
/// Returns scale * part / whole with one decimal and thousands separators, for example "84.7". Returns "0.0" if whole
/// is 0.
[[nodiscard]] std::string ratioOneDecimal(std::uint64_t part, std::uint64_t whole, std::uint64_t scale = 1);
/// Returns 100 * part / whole, for example "31.7%".
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);
/// Returns a size in binary multiples with one decimal: "256.0 KiB", "304.0 MiB", "1.5 GiB"; below 1024, "12 B".
[[nodiscard]] std::string binarySize(std::uint64_t bytes);
/// Returns binarySize() with the units of the summary's layout, which calls 1,024 bytes "kB".
[[nodiscard]] std::string summarySize(std::uint64_t bytes);
/// Returns `text` aligned to the right in `width` columns, with at least one space before it.
[[nodiscard]] std::string alignRight(std::string_view text, std::size_t width);
/// Returns `text`, filled with spaces up to `width` columns.
[[nodiscard]] std::string padRight(std::string_view text, std::size_t width);

} // namespace popscope
