// IeeeHalf: a value in IEEE 754 half precision, usable on host and device. Conversions to half round to nearest even;
// overflow gives infinity.
#ifndef POPLAR_IEEE_HALF_HPP
#define POPLAR_IEEE_HALF_HPP
#include <cstdint>
#include <cstring>

#ifdef __POPC__
#include "HalfFloat.hpp"
#endif

namespace popscope_device {

#if defined(__riscv)
// The stand-in converts in one instruction, as a tile does.
inline float halfToFloat(std::uint16_t bits) {
  __fp16 half;
  std::memcpy(&half, &bits, sizeof half);
  return half;
}
inline std::uint16_t floatToHalf(float value) {
  const __fp16 half = static_cast<__fp16>(value);
  std::uint16_t bits;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}
#else
inline float halfToFloat(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  std::uint32_t mantissa = bits & 0x3ffu;
  float value;
  if (exponent == 0) { // zero and subnormals: mantissa * 2^-24 is exact
    value = static_cast<float>(mantissa) * 5.9604644775390625e-8f;
    return sign != 0 ? -value : value;
  }
  const std::uint32_t e = exponent == 0x1fu ? 0xffu : exponent + 112u;
  if (exponent == 0x1fu && mantissa != 0)
    mantissa |= 0x200u; // a signalling NaN becomes a quiet NaN
  const std::uint32_t word = sign | (e << 23) | (mantissa << 13);
  std::memcpy(&value, &word, sizeof value);
  return value;
}

inline std::uint16_t floatToHalf(float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof word);
  const std::uint32_t sign = (word >> 16) & 0x8000u;
  const std::uint32_t magnitude = word & 0x7fffffffu;
  std::uint32_t half;
  if (magnitude > 0x7f800000u) // NaN stays a quiet NaN
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  else if (magnitude >= 0x477ff000u) // 65520 and more round to infinity
    half = 0x7c00u;
  else if (magnitude >= 0x38800000u) { // normal: rebias, round to nearest even
    const std::uint32_t rebiased = magnitude - 0x38000000u;
    half = (rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13;
  } else if (magnitude < 0x33000000u) // less than half of the smallest subnormal
    half = 0;
  else { // subnormal
    const std::uint32_t shift = 126u - (magnitude >> 23);
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1u);
    const std::uint32_t middle = 1u << (shift - 1u);
    half = mantissa >> shift;
    if (rest > middle || (rest == middle && (half & 1u) != 0))
      ++half;
  }
  return static_cast<std::uint16_t>(sign | half);
}
#endif

/// Converts with one rounding: the intermediate float is rounded to odd, which keeps every bit that affects the result.
inline std::uint16_t doubleToHalf(double value) {
  float single = static_cast<float>(value);
  const double back = static_cast<double>(single);
  if (back == value || value != value)
    return floatToHalf(single);
  std::uint32_t word;
  std::memcpy(&word, &single, sizeof word);
  if ((value < 0 ? -back : back) > (value < 0 ? -value : value))
    --word; // rounds towards zero
  word |= 1u;
  std::memcpy(&single, &word, sizeof word);
  return floatToHalf(single);
}

} // namespace popscope_device

namespace poplar {

class IeeeHalf {
public:
  IeeeHalf() = default;
  IeeeHalf(float value) : bits_(popscope_device::floatToHalf(value)) {}
  IeeeHalf(double value) : bits_(popscope_device::doubleToHalf(value)) {}
  IeeeHalf(int value) : bits_(popscope_device::floatToHalf(static_cast<float>(value))) {}
  explicit operator float() const { return popscope_device::halfToFloat(bits_); }
  static IeeeHalf fromBits(std::uint16_t bits) {
    IeeeHalf half;
    half.bits_ = bits;
    return half;
  }
  std::uint16_t bit16() const { return bits_; }

private:
  std::uint16_t bits_;
};

} // namespace poplar
#endif
