#include "report/summary/Format.hpp"

#include "base/Utf8.hpp"

namespace popscope {

std::string commas(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t from = text.size(); from > 3; from -= 3)
    text.insert(from - 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return commas(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string ratioOneDecimal(std::uint64_t part, std::uint64_t whole, std::uint64_t scale) {
  if (whole == 0)
    return "0.0";
  __extension__ using Wide = unsigned __int128; // part * scale * 20 can exceed 64 bits
  const Wide doubled = Wide(part) * scale * 20 / whole;
  const auto tenths = static_cast<std::uint64_t>((doubled + 1) / 2);
  return commas(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string percent(std::uint64_t part, std::uint64_t whole) { return ratioOneDecimal(part, whole, 100) + "%"; }

namespace {

/// Returns a size in binary multiples. `units`: the names of 2^30, 2^20 and 2^10 bytes.
std::string sizeIn(const char *const (&units)[3], std::uint64_t bytes) {
  constexpr std::uint64_t kKilo = 1024, kMega = kKilo * kKilo, kGiga = kMega * kKilo;
  const char *const *unit = units;
  for (const std::uint64_t one : {kGiga, kMega, kKilo}) {
    if (bytes >= one)
      return ratioOneDecimal(bytes, one) + " " + *unit;
    ++unit;
  }
  return commas(bytes) + " B";
}

} // namespace

std::string summarySize(std::uint64_t bytes) { return sizeIn({"GB", "MB", "kB"}, bytes); }
std::string binarySize(std::uint64_t bytes) { return sizeIn({"GiB", "MiB", "KiB"}, bytes); }

std::string alignRight(std::string_view text, std::size_t width) {
  const std::size_t columns = displayColumns(text);
  return std::string(columns < width ? width - columns : 1, ' ') + std::string(text);
}

std::string padRight(std::string_view text, std::size_t width) {
  const std::size_t columns = displayColumns(text);
  return std::string(text) + std::string(columns < width ? width - columns : 0, ' ');
}

} // namespace popscope
