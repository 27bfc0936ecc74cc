#include "base/Half.hpp"

#include <bit>

namespace popscope {
namespace {

// binary16: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits.
constexpr int kHalfFractionBits = 10;
constexpr int kHalfBias = 15;
constexpr std::uint16_t kHalfInfinity = 0x7c00;
constexpr std::uint16_t kHalfQuietBit = 0x0200;

/// value >> shift, to nearest, ties to even; 0 < shift < 64.
std::uint64_t shiftRightToNearestEven(std::uint64_t value, int shift) {
  const std::uint64_t half = std::uint64_t(1) << (shift - 1);
  const std::uint64_t rest = value & (2 * half - 1);
  const std::uint64_t kept = value >> shift;
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

/// One rounding from any binary format given as its bits. A carry out of the fraction moves on to the exponent, which
/// is right for denormals that become normal and for the largest number that becomes infinity.
template <class Bits> std::uint16_t toHalf(Bits bits, int fractionBits, int exponentBits) {
  const int maxExponent = (1 << exponentBits) - 1;
  const int bias = maxExponent / 2;
  const auto sign = static_cast<std::uint16_t>((bits >> (fractionBits + exponentBits)) << 15);
  const int exponent = static_cast<int>((bits >> fractionBits) & static_cast<Bits>(maxExponent));
  const std::uint64_t fraction = bits & ((Bits(1) << fractionBits) - 1);
  const int drop = fractionBits - kHalfFractionBits;
  if (exponent == maxExponent)
    return static_cast<std::uint16_t>(
        sign | kHalfInfinity | (fraction == 0 ? 0 : kHalfQuietBit | static_cast<std::uint16_t>(fraction >> drop)));
  const int halfExponent = exponent - bias + kHalfBias;
  if (halfExponent >= 31)
    return sign | kHalfInfinity;
  if (halfExponent <= 0) { // denormal: the leading 1 becomes part of the fraction
    const int shift = drop + 1 - halfExponent;
    if (exponent == 0 || shift > fractionBits + 2)
      return sign; // less than half of the smallest denormal
    return static_cast<std::uint16_t>(sign |
                                      shiftRightToNearestEven(fraction | (std::uint64_t(1) << fractionBits), shift));
  }
  const std::uint64_t rounded =
      shiftRightToNearestEven((static_cast<std::uint64_t>(halfExponent) << fractionBits) | fraction, drop);
  return static_cast<std::uint16_t>(sign | rounded);
}

} // namespace

std::uint16_t floatToHalf(float value) { return toHalf(std::bit_cast<std::uint32_t>(value), 23, 8); }

std::uint16_t doubleToHalf(double value) { return toHalf(std::bit_cast<std::uint64_t>(value), 52, 11); }

float halfToFloat(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t exponent = (bits >> kHalfFractionBits) & 0x1f;
  const std::uint32_t fraction = bits & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000u | (fraction == 0 ? 0 : 0x400000u | (fraction << 13)));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f; // exact
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 127 - kHalfBias) << 23) | (fraction << 13));
}

} // namespace popscope
