// The F extension of the interpreter.
#include "graph/codelets/standin/Rv32.hpp"
#include "graph/codelets/standin/Rv32Fields.hpp"
#include "graph/codelets/standin/Rv32Numbers.hpp"

#include <bit>
#include <cmath>

namespace popscope {
namespace {

constexpr std::uint32_t kQuietNan = 0x7fc00000, kSign = 0x80000000;

/// Rounds by a mode of table 11.1 of the manual. Mode 7 (dynamic) always means "to nearest even" here.
double roundTo(double value, std::uint32_t mode) {
  switch (mode) {
  case 1: return std::trunc(value);
  case 2: return std::floor(value);
  case 3: return std::ceil(value);
  case 4: return std::round(value);
  default: return std::nearbyint(value);
  }
}

/// Returns the result of fmv.x.w (kind 0), of fclass.s (kind 1), or of the tile's f32class (kind 2, which no other
/// machine has). For f32class, the NaNs are 1 and 2 and the other classes follow, in the order of fclass.s.
std::uint32_t bitsOrClass(std::uint32_t value, std::uint32_t kind) {
  if (kind == 0)
    return value;
  const std::uint32_t mask = classify(value, 8, 23);
  return kind == 1 ? mask : (static_cast<std::uint32_t>(std::countr_zero(mask)) + 2) % 10 + 1;
}

} // namespace

std::uint32_t classify(std::uint32_t value, unsigned exponentBits, unsigned mantissaBits) {
  const std::uint32_t exponent = bits(value, mantissaBits, exponentBits), mantissa = bits(value, 0, mantissaBits),
                      highest = (1u << exponentBits) - 1;
  const bool negative = bits(value, mantissaBits + exponentBits, 1) != 0;
  if (exponent == highest && mantissa != 0)
    return bits(mantissa, mantissaBits - 1, 1) != 0 ? 1u << 9 : 1u << 8;
  const std::uint32_t group = exponent == highest ? 0 : exponent != 0 ? 1 : mantissa != 0 ? 2 : 3;
  return 1u << (negative ? group : 7 - group);
}

std::uint32_t toInteger(float value, std::uint32_t mode, bool isSigned) {
  const double low = isSigned ? -2147483648.0 : 0.0, high = isSigned ? 2147483647.0 : 4294967295.0;
  const double rounded = std::isnan(value) ? high : roundTo(static_cast<double>(value), mode);
  const double kept = rounded < low ? low : rounded > high ? high : rounded;
  return isSigned ? static_cast<std::uint32_t>(static_cast<std::int32_t>(kept)) : static_cast<std::uint32_t>(kept);
}

float minMax(float a, float b, bool max) {
  if (std::isnan(a))
    return std::isnan(b) ? std::bit_cast<float>(kQuietNan) : b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) != max ? a : b;
  return (a < b) != max ? a : b;
}

float Rv32::floatOf(unsigned reg) const { return std::bit_cast<float>(f[reg]); }

void Rv32::setFloat(unsigned reg, float value) {
  f[reg] = std::isnan(value) ? kQuietNan : std::bit_cast<std::uint32_t>(value); // the architecture's only result NaN
}

bool Rv32::fused(std::uint32_t word) {
  const std::uint32_t which = bits(word, 2, 2); // madd, msub, nmsub, nmadd
  const auto sum = [which](auto a, auto b, auto c) {
    return std::fma(which >= 2 ? -a : a, b, which == 1 || which == 3 ? -c : c);
  };
  const unsigned a = rs1(word), b = rs2(word), c = word >> 27;
  switch (floatFormat(word)) {
  case kSingleFormat: setFloat(rd(word), sum(floatOf(a), floatOf(b), floatOf(c))); return true;
  case kHalfFormat: // the product is exact, or too small compared with the other operand to affect the rounding
    setHalf(rd(word), sum(double(halfOf(a)), double(halfOf(b)), double(halfOf(c))));
    return true;
  default: return unknown(word);
  }
}

bool Rv32::floating(std::uint32_t word) {
  switch (floatFormat(word)) {
  case kSingleFormat: return singles(word);
  case kHalfFormat: return halves(word);
  default: return unknown(word);
  }
}

bool Rv32::singles(std::uint32_t word) {
  const std::uint32_t a = f[rs1(word)], b = f[rs2(word)];
  const float x1 = floatOf(rs1(word)), x2 = floatOf(rs2(word));
  switch (floatOperation(word)) {
  case kFloatAdd: setFloat(rd(word), x1 + x2); return true;
  case kFloatSubtract: setFloat(rd(word), x1 - x2); return true;
  case kFloatMultiply: setFloat(rd(word), x1 * x2); return true;
  case kFloatDivide: setFloat(rd(word), x1 / x2); return true;
  case kFloatSquareRoot: setFloat(rd(word), std::sqrt(x1)); return true;
  case kFloatSign: f[rd(word)] = withSign(a, b, kSign, funct3(word)); return true;
  case kFloatMinMax: setFloat(rd(word), minMax(x1, x2, funct3(word) == 1)); return true;
  case kFloatCompare: return compare(word, x1, x2);
  default: return singleConvert(word);
  }
}

bool Rv32::compare(std::uint32_t word, float a, float b) {
  switch (funct3(word)) {
  case 0: set(word, a <= b); return true;
  case 1: set(word, a < b); return true;
  case 2: set(word, a == b); return true;
  default: return unknown(word);
  }
}

bool Rv32::singleConvert(std::uint32_t word) {
  const bool isSigned = rs2(word) == 0;
  switch (floatOperation(word)) {
  case kFloatToFormat: // fcvt.s.h
    if (rs2(word) != kHalfFormat)
      return unknown(word);
    setFloat(rd(word), halfOf(rs1(word)));
    return true;
  case kFloatToInteger: set(word, toInteger(floatOf(rs1(word)), funct3(word), isSigned)); return true;
  case kFloatFromInteger: {
    const std::uint32_t v = x[rs1(word)];
    setFloat(rd(word), isSigned ? static_cast<float>(static_cast<std::int32_t>(v)) : static_cast<float>(v));
    return true;
  }
  case kFloatToBits: set(word, bitsOrClass(f[rs1(word)], funct3(word))); return true;
  case kFloatFromBits: f[rd(word)] = x[rs1(word)]; return true;
  default: return unknown(word);
  }
}

} // namespace popscope
