// The F extension of the interpreter.
#include "graph/codelets/standin/Rv32.hpp"
#include "graph/codelets/standin/Rv32Fields.hpp"
#include "graph/codelets/standin/Rv32Numbers.hpp"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace popscope {
namespace {

constexpr std::uint32_t kQuietNan = 0x7fc00000, kSign = 0x80000000;

bool isNan(std::uint32_t v) { return (v & 0x7fffffffu) > 0x7f800000u; }

/// Rounding modes of the manual, table 11.1; 7 = dynamic, which nothing changes from nearest even.
double roundTo(double value, std::uint32_t mode) {
  switch (mode) {
  case 1: return std::trunc(value);
  case 2: return std::floor(value);
  case 3: return std::ceil(value);
  case 4: return std::round(value);
  default: return std::nearbyint(value);
  }
}

std::uint32_t classify(std::uint32_t v) {
  const bool negative = (v & kSign) != 0;
  const std::uint32_t exponent = (v >> 23) & 0xffu, mantissa = v & 0x7fffffu;
  if (exponent == 0xff && mantissa != 0)
    return (mantissa & 0x400000u) != 0 ? 1u << 9 : 1u << 8;
  const std::uint32_t group = exponent == 0xff ? 0 : exponent != 0 ? 1 : mantissa != 0 ? 2 : 3;
  return 1u << (negative ? group : 7 - group);
}

float floatOfBits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace

std::uint32_t toInteger(float value, std::uint32_t mode, bool isSigned) {
  const double low = isSigned ? -2147483648.0 : 0.0, high = isSigned ? 2147483647.0 : 4294967295.0;
  const double rounded = std::isnan(value) ? high : roundTo(static_cast<double>(value), mode);
  const double kept = rounded < low ? low : rounded > high ? high : rounded;
  return isSigned ? static_cast<std::uint32_t>(static_cast<std::int32_t>(kept)) : static_cast<std::uint32_t>(kept);
}

float minMax(float a, float b, bool max) {
  if (std::isnan(a))
    return std::isnan(b) ? floatOfBits(kQuietNan) : b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) != max ? a : b;
  return (a < b) != max ? a : b;
}

float Rv32::floatOf(unsigned reg) const { return floatOfBits(f[reg]); }

void Rv32::setFloat(unsigned reg, float value) {
  std::memcpy(&f[reg], &value, sizeof value);
  if (isNan(f[reg]))
    f[reg] = kQuietNan; // the architecture's only result NaN
}

bool Rv32::fused(std::uint32_t word) {
  const float a = floatOf(rs1(word)), b = floatOf(rs2(word)), c = floatOf(word >> 27);
  if (((word >> 25) & 3u) == kHalfFormat)
    return halfFused(word);
  if (((word >> 25) & 3u) != 0)
    return fail(fmt::format("unknown instruction {:#010x}", word));
  switch ((word >> 2) & 3u) {
  case 0: setFloat(rd(word), std::fma(a, b, c)); return true;
  case 1: setFloat(rd(word), std::fma(a, b, -c)); return true;
  case 2: setFloat(rd(word), std::fma(-a, b, c)); return true;
  default: setFloat(rd(word), std::fma(-a, b, -c)); return true;
  }
}

bool Rv32::floating(std::uint32_t word) {
  const std::uint32_t a = f[rs1(word)], b = f[rs2(word)];
  const float x1 = floatOf(rs1(word)), x2 = floatOf(rs2(word));
  if ((funct7(word) & 3u) == kHalfFormat)
    return halves(word);
  switch (word >> 25) {
  case 0x00: setFloat(rd(word), x1 + x2); return true;
  case 0x04: setFloat(rd(word), x1 - x2); return true;
  case 0x08: setFloat(rd(word), x1 * x2); return true;
  case 0x0c: setFloat(rd(word), x1 / x2); return true;
  case 0x2c: setFloat(rd(word), std::sqrt(x1)); return true;
  case 0x10: {
    const std::uint32_t sign = funct3(word) == 0 ? b : funct3(word) == 1 ? ~b : a ^ b;
    f[rd(word)] = (a & ~kSign) | (sign & kSign);
    return true;
  }
  case 0x14: setFloat(rd(word), minMax(x1, x2, funct3(word) == 1)); return true;
  case 0x50: return floatCompare(word);
  default: return floatConvert(word);
  }
}

bool Rv32::floatCompare(std::uint32_t word) {
  const float a = floatOf(rs1(word)), b = floatOf(rs2(word));
  switch (funct3(word)) {
  case 0: set(word, a <= b); return true;
  case 1: set(word, a < b); return true;
  case 2: set(word, a == b); return true;
  default: return fail(fmt::format("unknown instruction {:#010x}", word));
  }
}

bool Rv32::floatConvert(std::uint32_t word) {
  const bool isSigned = rs2(word) == 0;
  switch (word >> 25) {
  case 0x20: // fcvt.s.h
    if (rs2(word) != kHalfFormat)
      return fail(fmt::format("unknown instruction {:#010x}", word));
    setFloat(rd(word), halfOf(rs1(word)));
    return true;
  case 0x60: set(word, toInteger(floatOf(rs1(word)), funct3(word), isSigned)); return true;
  case 0x68: {
    const std::uint32_t v = x[rs1(word)];
    setFloat(rd(word), isSigned ? static_cast<float>(static_cast<std::int32_t>(v)) : static_cast<float>(v));
    return true;
  }
  case 0x70: set(word, funct3(word) == 1 ? classify(f[rs1(word)]) : f[rs1(word)]); return true;
  case 0x78: f[rd(word)] = x[rs1(word)]; return true;
  default: return fail(fmt::format("unknown instruction {:#010x}", word));
  }
}

} // namespace popscope
