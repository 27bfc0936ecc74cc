// Device side: half, IEEE 754 half precision. Storage is two bytes; arithmetic goes through float, each assignment
// rounds to nearest even.
#ifndef POPLAR_HALF_FLOAT_HPP
#define POPLAR_HALF_FLOAT_HPP
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "IeeeHalf.hpp"

class half {
public:
  half() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  half(T value) : bits_(popscope_device::floatToHalf(static_cast<float>(value))) {}
  /// From the element of an edge of another type, as in half h = input;
  template <class E, class = typename std::enable_if<std::is_arithmetic<typename E::ScalarElement>::value>::type, class = void>
  half(const E &edge) : half(*edge) {}
  operator float() const { return popscope_device::halfToFloat(bits_); }
  half operator-() const { return fromBits(static_cast<std::uint16_t>(bits_ ^ 0x8000u)); }
  half operator+() const { return *this; }
  half &operator+=(float value) { return *this = half(float(*this) + value); }
  half &operator-=(float value) { return *this = half(float(*this) - value); }
  half &operator*=(float value) { return *this = half(float(*this) * value); }
  half &operator/=(float value) { return *this = half(float(*this) / value); }
  half &operator++() { return *this += 1.0f; }
  half &operator--() { return *this -= 1.0f; }
  half operator++(int) {
    const half old = *this;
    ++*this;
    return old;
  }
  half operator--(int) {
    const half old = *this;
    --*this;
    return old;
  }
  static half fromBits(std::uint16_t bits) {
    half value;
    value.bits_ = bits;
    return value;
  }
  std::uint16_t bit16() const { return bits_; }

private:
  std::uint16_t bits_;
};

inline half operator"" _h(long double value) { return half(static_cast<float>(value)); }
inline half operator"" _h(unsigned long long value) { return half(static_cast<float>(value)); }

namespace std {
template <> class numeric_limits<half> {
public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr int radix = 2, digits = 11, digits10 = 3, max_digits10 = 5;
  static constexpr int min_exponent = -13, min_exponent10 = -4, max_exponent = 16, max_exponent10 = 4;
  static half min() { return half::fromBits(0x0400); }
  static half max() { return half::fromBits(0x7bff); }
  static half lowest() { return half::fromBits(0xfbff); }
  static half epsilon() { return half::fromBits(0x1400); }
  static half round_error() { return half::fromBits(0x3800); }
  static half infinity() { return half::fromBits(0x7c00); }
  static half quiet_NaN() { return half::fromBits(0x7e00); }
  static half signaling_NaN() { return half::fromBits(0x7d00); }
  static half denorm_min() { return half::fromBits(0x0001); }
};
} // namespace std
#endif
