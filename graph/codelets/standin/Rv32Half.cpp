// The Zfh extension of the interpreter: computes a half as a double, or as the float that has its value, and rounds
// once.
#include "base/Half.hpp"
#include "graph/codelets/standin/Rv32.hpp"
#include "graph/codelets/standin/Rv32Fields.hpp"
#include "graph/codelets/standin/Rv32Numbers.hpp"

#include <cmath>

namespace popscope {
namespace {

constexpr std::uint32_t kQuietNanHalf = 0x7e00, kSignOfHalf = 0x8000;

std::uint32_t unboxHalf(std::uint32_t bits) { return bits >= boxHalf(0) ? bits & 0xffffu : kQuietNanHalf; }

} // namespace

float Rv32::halfOf(unsigned reg) const { return halfToFloat(static_cast<std::uint16_t>(unboxHalf(f[reg]))); }

void Rv32::setHalf(unsigned reg, double value) {
  f[reg] = boxHalf(std::isnan(value) ? kQuietNanHalf : doubleToHalf(value));
}

bool Rv32::halves(std::uint32_t word) {
  const float a = halfOf(rs1(word)), b = halfOf(rs2(word));
  switch (floatOperation(word)) {
  case kFloatAdd: setHalf(rd(word), double(a) + b); return true;
  case kFloatSubtract: setHalf(rd(word), double(a) - b); return true;
  case kFloatMultiply: setHalf(rd(word), double(a) * b); return true;
  case kFloatDivide: setHalf(rd(word), double(a) / b); return true;
  case kFloatSquareRoot: setHalf(rd(word), std::sqrt(double(a))); return true;
  case kFloatSign:
    f[rd(word)] = boxHalf(withSign(unboxHalf(f[rs1(word)]), unboxHalf(f[rs2(word)]), kSignOfHalf, funct3(word)));
    return true;
  case kFloatMinMax: setHalf(rd(word), minMax(a, b, funct3(word) == 1)); return true;
  case kFloatCompare: return compare(word, a, b);
  default: return halfConvert(word);
  }
}

bool Rv32::halfConvert(std::uint32_t word) {
  const bool isSigned = rs2(word) == 0;
  const std::uint32_t integer = x[rs1(word)], bits = f[rs1(word)];
  switch (floatOperation(word)) {
  case kFloatToFormat: // fcvt.h.s
    if (rs2(word) != kSingleFormat)
      return unknown(word);
    setHalf(rd(word), floatOf(rs1(word)));
    return true;
  case kFloatToInteger: set(word, toInteger(halfOf(rs1(word)), funct3(word), isSigned)); return true;
  case kFloatFromInteger:
    setHalf(rd(word), isSigned ? double(static_cast<std::int32_t>(integer)) : double(integer));
    return true;
  case kFloatToBits:
    set(word, funct3(word) == 1 ? classify(unboxHalf(bits), 5, 10) : signExtend(bits & 0xffffu, 16));
    return true;
  case kFloatFromBits: f[rd(word)] = boxHalf(integer & 0xffffu); return true;
  default: return unknown(word);
  }
}

} // namespace popscope
