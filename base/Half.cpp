#include "base/Half.hpp"

#include <poplar/Half.hpp>

#include <bit>
#include <cstring>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace popscope {
namespace {

// binary16: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits.
constexpr int kHalfFractionBits = 10;
constexpr int kHalfBias = 15;
constexpr std::uint16_t kHalfInfinity = 0x7c00;
constexpr std::uint16_t kHalfQuietBit = 0x0200;

/// Returns value >> shift, rounded to nearest, ties to even; 0 < shift < 64.
std::uint64_t shiftRightToNearestEven(std::uint64_t value, int shift) {
  const std::uint64_t half = std::uint64_t(1) << (shift - 1);
  const std::uint64_t rest = value & (2 * half - 1);
  const std::uint64_t kept = value >> shift;
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

/// Converts from any binary format given as its bits, with one rounding. A carry out of the fraction moves into the
/// exponent, which is right for denormals that become normal and for the largest number that becomes infinity.
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

namespace {

constexpr std::size_t kHalfBytes = sizeof(std::uint16_t);

#ifdef __x86_64__
constexpr std::size_t kAtOnce = 8;

bool hasF16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0 && __builtin_cpu_supports("avx") != 0;
}

/// Converts the numbers that form whole groups, and returns their number. Rounds and quiets NaN as the functions for
/// one number do.
__attribute__((target("avx,f16c"))) std::size_t floatsToHalvesWide(const float *from, unsigned char *to,
                                                                   std::size_t n) {
  const std::size_t whole = n / kAtOnce * kAtOnce;
  for (std::size_t i = 0; i < whole; i += kAtOnce)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + kHalfBytes * i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  return whole;
}
__attribute__((target("avx,f16c"))) std::size_t halvesToFloatsWide(const unsigned char *from, float *to,
                                                                   std::size_t n) {
  const std::size_t whole = n / kAtOnce * kAtOnce;
  for (std::size_t i = 0; i < whole; i += kAtOnce)
    _mm256_storeu_ps(to + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from + kHalfBytes * i))));
  return whole;
}
#else
bool hasF16c() { return false; }
std::size_t floatsToHalvesWide(const float *, unsigned char *, std::size_t) { return 0; }
std::size_t halvesToFloatsWide(const unsigned char *, float *, std::size_t) { return 0; }
#endif

bool usesF16c() {
  static const bool has = hasF16c();
  return has;
}

} // namespace

void floatsToHalves(const float *from, void *to, std::size_t n) {
  auto *const out = static_cast<unsigned char *>(to);
  for (std::size_t i = usesF16c() ? floatsToHalvesWide(from, out, n) : 0; i < n; ++i) {
    const std::uint16_t bits = floatToHalf(from[i]);
    std::memcpy(out + kHalfBytes * i, &bits, kHalfBytes);
  }
}

void halvesToFloats(const void *from, float *to, std::size_t n) {
  const auto *const in = static_cast<const unsigned char *>(from);
  for (std::size_t i = usesF16c() ? halvesToFloatsWide(in, to, n) : 0; i < n; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, in + kHalfBytes * i, kHalfBytes);
    to[i] = halfToFloat(bits);
  }
}

} // namespace popscope

namespace poplar {

Half::Half(double value) : bits_(popscope::doubleToHalf(value)) {}
Half::operator float() const { return popscope::halfToFloat(bits_); }

} // namespace poplar
