// The Zfh extension of the interpreter: a half is computed as a double, or as the float that has its value, and rounded
// once.
#include "graph/codelets/standin/Rv32.hpp"
#include "graph/codelets/standin/Rv32Fields.hpp"
#include "graph/codelets/standin/Rv32Numbers.hpp"

#include <cmath>
#include <fmt/format.h>
#include <poplar/IeeeHalf.hpp>

namespace popscope {
namespace {

constexpr std::uint32_t kQuietNanHalf = 0x7e00, kSignOfHalf = 0x8000;

std::uint32_t classifyHalf(std::uint32_t bits) {
  const bool negative = (bits & kSignOfHalf) != 0;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu, mantissa = bits & 0x3ffu;
  if (exponent == 0x1f && mantissa != 0)
    return (mantissa & 0x200u) != 0 ? 1u << 9 : 1u << 8;
  const std::uint32_t group = exponent == 0x1f ? 0 : exponent != 0 ? 1 : mantissa != 0 ? 2 : 3;
  return 1u << (negative ? group : 7 - group);
}

std::uint32_t unboxHalf(std::uint32_t bits) { return bits >= boxHalf(0) ? bits & 0xffffu : kQuietNanHalf; }

} // namespace

float Rv32::halfOf(unsigned reg) const {
  return popscope_device::halfToFloat(static_cast<std::uint16_t>(unboxHalf(f[reg])));
}

void Rv32::setHalf(unsigned reg, double value) {
  f[reg] = boxHalf(std::isnan(value) ? kQuietNanHalf : popscope_device::doubleToHalf(value));
}

bool Rv32::halfFused(std::uint32_t word) {
  // Exact, or the product is too small beside `c` to decide how the sum is rounded.
  const double a = halfOf(rs1(word)), b = halfOf(rs2(word)), c = halfOf(word >> 27);
  switch ((word >> 2) & 3u) {
  case 0: setHalf(rd(word), a * b + c); return true;
  case 1: setHalf(rd(word), a * b - c); return true;
  case 2: setHalf(rd(word), -(a * b) + c); return true;
  default: setHalf(rd(word), -(a * b) - c); return true;
  }
}

bool Rv32::halves(std::uint32_t word) {
  const double a = halfOf(rs1(word)), b = halfOf(rs2(word));
  switch (funct7(word)) {
  case 0x02: setHalf(rd(word), a + b); return true;
  case 0x06: setHalf(rd(word), a - b); return true;
  case 0x0a: setHalf(rd(word), a * b); return true;
  case 0x0e: setHalf(rd(word), a / b); return true;
  case 0x2e: setHalf(rd(word), std::sqrt(a)); return true;
  case 0x12: {
    const std::uint32_t x1 = unboxHalf(f[rs1(word)]), x2 = unboxHalf(f[rs2(word)]);
    const std::uint32_t sign = funct3(word) == 0 ? x2 : funct3(word) == 1 ? ~x2 : x1 ^ x2;
    f[rd(word)] = boxHalf((x1 & ~kSignOfHalf) | (sign & kSignOfHalf));
    return true;
  }
  case 0x16: setHalf(rd(word), minMax(halfOf(rs1(word)), halfOf(rs2(word)), funct3(word) == 1)); return true;
  case 0x52:
    if (funct3(word) > 2)
      return fail(fmt::format("unknown instruction {:#010x}", word));
    set(word, funct3(word) == 0 ? a <= b : funct3(word) == 1 ? a < b : a == b);
    return true;
  default: return halfConvert(word);
  }
}

bool Rv32::halfConvert(std::uint32_t word) {
  const bool isSigned = rs2(word) == 0;
  const std::uint32_t integer = x[rs1(word)];
  switch (funct7(word)) {
  case 0x22: // fcvt.h.s
    if (rs2(word) != 0)
      return fail(fmt::format("unknown instruction {:#010x}", word));
    setHalf(rd(word), floatOf(rs1(word)));
    return true;
  case 0x62: set(word, toInteger(halfOf(rs1(word)), funct3(word), isSigned)); return true;
  case 0x6a: setHalf(rd(word), isSigned ? double(static_cast<std::int32_t>(integer)) : double(integer)); return true;
  case 0x72: {
    const std::uint32_t bits = f[rs1(word)];
    set(word, funct3(word) == 1 ? classifyHalf(unboxHalf(bits)) : signExtend(bits & 0xffffu, 16));
    return true;
  }
  case 0x7a: f[rd(word)] = boxHalf(integer & 0xffffu); return true;
  default: return fail(fmt::format("unknown instruction {:#010x}", word));
  }
}

} // namespace popscope
