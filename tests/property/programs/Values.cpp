#include "tests/property/programs/Values.hpp"

#include <cmath>
#include <cstring>

namespace random_programs {

const std::vector<Kind> &kinds() {
  static const std::vector<Kind> all{
      {poplar::INT, "int", 4000037, 4},
      {poplar::UNSIGNED_INT, "unsigned int", 4000037, 4},
      {poplar::FLOAT, "float", 4000037, 4},
      {poplar::HALF, "half", 997, 2},
      {poplar::UNSIGNED_CHAR, "unsigned char", 127, 1},
      {poplar::SHORT, "short", 16001, 2},
      {poplar::UNSIGNED_LONGLONG, "unsigned long long", 1000000000039, 8},
      {poplar::BOOL, "bool", 2, 1},
      {poplar::QUARTER, "quarter", 13, 1},
  };
  return all;
}

const Kind &kindOf(const poplar::Type &type) {
  for (const Kind &kind : kinds())
    if (kind.type == type)
      return kind;
  return kinds().front();
}

namespace {

/// A floating-point format of 8 or 16 bits: fraction bits, total bits, and the exponent bias with the scale.
struct Format {
  int fraction, bits, bias;
};
constexpr Format kHalf{10, 16, 15};
constexpr Format kQuarter{3, 8, 8 - kQuarterScale}; // F143

std::uint64_t bitsOf(const Format &format, std::int64_t value) {
  if (value == 0)
    return 0;
  int exponent = 0;
  while ((value >> (exponent + 1)) != 0)
    ++exponent;
  const std::int64_t fraction = (value << format.fraction >> exponent) - (1 << format.fraction);
  return static_cast<std::uint64_t>(((exponent + format.bias) << format.fraction) | fraction);
}

double valueOf(const Format &format, std::uint64_t bits) {
  const auto all = static_cast<int>(bits), sign = 1 << (format.bits - 1);
  const int exponent = (all & (sign - 1)) >> format.fraction, fraction = all & ((1 << format.fraction) - 1);
  const double size = std::ldexp(exponent == 0 ? fraction : fraction + (1 << format.fraction),
                                 (exponent == 0 ? 1 : exponent) - format.bias - format.fraction);
  return (all & sign) != 0 ? -size : size;
}

std::int64_t wholeOr(double value, std::int64_t other) {
  return std::isfinite(value) && std::abs(value) < 1e15 && value == std::floor(value) ? static_cast<std::int64_t>(value)
                                                                                      : other;
}

} // namespace

Bytes encode(const Kind &kind, const std::vector<std::int64_t> &values) {
  Bytes bytes(values.size() * kind.bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t value = values[i] == kUndefined ? 0 : values[i];
    std::uint64_t bits = static_cast<std::uint64_t>(value);
    if (kind.type == poplar::HALF)
      bits = bitsOf(kHalf, value);
    if (kind.type == poplar::QUARTER)
      bits = bitsOf(kQuarter, value);
    if (kind.type == poplar::FLOAT) {
      const auto f = static_cast<float>(value);
      bits = 0;
      std::memcpy(&bits, &f, sizeof f);
    }
    std::memcpy(bytes.data() + i * kind.bytes, &bits, kind.bytes); // little-endian
  }
  return bytes;
}

std::vector<std::int64_t> decode(const Kind &kind, const Bytes &bytes) {
  std::vector<std::int64_t> values(bytes.size() / kind.bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * kind.bytes, kind.bytes);
    values[i] = static_cast<std::int64_t>(bits);
    if (kind.type == poplar::INT)
      values[i] = static_cast<std::int32_t>(bits);
    if (kind.type == poplar::HALF)
      values[i] = wholeOr(valueOf(kHalf, bits), -1);
    if (kind.type == poplar::QUARTER)
      values[i] = wholeOr(valueOf(kQuarter, bits), -1);
    if (kind.type == poplar::FLOAT) {
      float f = 0;
      std::memcpy(&f, &bits, sizeof f);
      values[i] = wholeOr(f, -1);
    }
  }
  return values;
}

} // namespace random_programs
