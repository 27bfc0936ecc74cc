// What float and half instructions of the interpreter share: "The RISC-V Instruction Set Manual, Volume I", chapter 11.
#pragma once
#include <cstdint>

namespace popscope {

/// In rounding mode `mode` of table 11.1; the nearest bound when the value is outside, the highest for NaN.
std::uint32_t toInteger(float value, std::uint32_t mode, bool isSigned);
/// fmin and fmax: a number wins over NaN, -0 is below +0.
float minMax(float a, float b, bool max);

/// Bits of a half as a float register holds them: all bits above are set.
inline std::uint32_t boxHalf(std::uint32_t bits) { return 0xffff0000u | bits; }

} // namespace popscope
