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

constexpr int kHalfFraction = 10, kHalfBias = 15;

std::uint16_t halfOf(std::int64_t value) {
  if (value == 0)
    return 0;
  int exponent = 0;
  while ((value >> (exponent + 1)) != 0)
    ++exponent;
  const std::int64_t fraction = (value << kHalfFraction >> exponent) - (1 << kHalfFraction);
  return static_cast<std::uint16_t>(((exponent + kHalfBias) << kHalfFraction) | fraction);
}

double valueOfHalf(std::uint16_t bits) {
  const int exponent = (bits >> kHalfFraction) & 31, fraction = bits & ((1 << kHalfFraction) - 1);
  const double size = exponent == 0 ? std::ldexp(fraction, 1 - kHalfBias - kHalfFraction)
                                    : std::ldexp(fraction + (1 << kHalfFraction), exponent - kHalfBias - kHalfFraction);
  return (bits & 0x8000) != 0 ? -size : size;
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
      bits = halfOf(value);
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
      values[i] = wholeOr(valueOfHalf(static_cast<std::uint16_t>(bits)), -1);
    if (kind.type == poplar::FLOAT) {
      float f = 0;
      std::memcpy(&f, &bits, sizeof f);
      values[i] = wholeOr(f, -1);
    }
  }
  return values;
}

} // namespace random_programs
