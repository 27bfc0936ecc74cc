// The arithmetic that the float and half instructions of the interpreter share. Chapter 11 of "The RISC-V Instruction
// Set Manual, Volume I" (version 20191213) has the rules.
#pragma once
#include <cstdint>

namespace popscope {

/// Converts `value` to an integer of 32 bits, with rounding mode `mode` of table 11.1. Returns the nearest bound for a
/// value out of range, and the highest bound for NaN.
std::uint32_t toInteger(float value, std::uint32_t mode, bool isSigned);
/// Computes fmax if `max` is true, and otherwise fmin. If one operand is NaN, returns the other operand. -0 is smaller
/// than +0.
float minMax(float a, float b, bool max);

/// Computes fclass of the number whose sign, exponent and mantissa are the low bits of `value`.
std::uint32_t classify(std::uint32_t value, unsigned exponentBits, unsigned mantissaBits);
/// Computes fsgnj, fsgnjn or fsgnjx, which `funct3` selects. Returns `a` with another sign bit: the sign bit of `b`,
/// the inverted sign bit of `b`, or the exclusive or of both sign bits. `sign` is the mask of the sign bit.
inline std::uint32_t withSign(std::uint32_t a, std::uint32_t b, std::uint32_t sign, std::uint32_t funct3) {
  const std::uint32_t from = funct3 == 0 ? b : funct3 == 1 ? ~b : a ^ b;
  return (a & ~sign) | (from & sign);
}

/// Returns the bits of a half as a float register holds them: all higher bits are set.
inline std::uint32_t boxHalf(std::uint32_t bits) { return 0xffff0000u | bits; }

} // namespace popscope
