// Device side: half, IEEE 754 half precision in two bytes. Every operation on halves rounds to nearest even (see below
// for models that compute in float). An operation on a half and a float gives a float; an operation on a half and an
// int gives a half. Codelets use the compiler's own type: Popscope defines POPSCOPE_NATIVE_HALF when it compiles
// codelets. For a model or CPU target without accurateHalf, codelets use a class of four bytes that computes like float
// (POPSCOPE_HALF_AS_FLOAT). Any other compiler sees a class of two bytes. If half is a class, `c ? half : float` needs
// a cast.
#ifndef POPLAR_HALF_FLOAT_HPP
#define POPLAR_HALF_FLOAT_HPP
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "IeeeHalf.hpp"

#if defined(POPSCOPE_NATIVE_HALF)
typedef __fp16 half;
#else
#include "HalfClass.hpp"
#endif

namespace popscope_device {
/// bitsOfHalf returns the bits of a half. halfOfBits returns the half that has these bits.
#if defined(POPSCOPE_NATIVE_HALF)
inline std::uint16_t bitsOfHalf(half value) {
  std::uint16_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline half halfOfBits(std::uint16_t bits) {
  half value;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}
#else
inline std::uint16_t bitsOfHalf(half value) { return value.bit16(); }
inline half halfOfBits(std::uint16_t bits) { return half::fromBits(bits); }
#endif
} // namespace popscope_device

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
  static half min() { return popscope_device::halfOfBits(0x0400); }
  static half max() { return popscope_device::halfOfBits(0x7bff); }
  static half lowest() { return popscope_device::halfOfBits(0xfbff); }
  static half epsilon() { return popscope_device::halfOfBits(0x1400); }
  static half round_error() { return popscope_device::halfOfBits(0x3800); }
  static half infinity() { return popscope_device::halfOfBits(0x7c00); }
  static half quiet_NaN() { return popscope_device::halfOfBits(0x7e00); }
  static half signaling_NaN() { return popscope_device::halfOfBits(0x7d00); }
  static half denorm_min() { return popscope_device::halfOfBits(0x0001); }
};
} // namespace std

#if defined(POPSCOPE_NATIVE_HALF)
// Here `half` is the compiler's own type (`__fp16`), so a call such as `exp(half)` would be ambiguous between the
// overloads for float, double and long double. The macros below define overloads for half. These overloads for half
// compute in float.
#define POPSCOPE_OF_HALF(name)                                                                                         \
  namespace std {                                                                                                      \
  inline float name(half x) { return name(static_cast<float>(x)); }                                                    \
  }                                                                                                                    \
  using std::name;
#define POPSCOPE_OF_HALVES(name)                                                                                       \
  namespace std {                                                                                                      \
  inline float name(half x, half y) { return name(static_cast<float>(x), static_cast<float>(y)); }                     \
  inline float name(half x, float y) { return name(static_cast<float>(x), y); }                                        \
  inline float name(float x, half y) { return name(x, static_cast<float>(y)); }                                        \
  inline float name(half x, int y) { return name(static_cast<float>(x), static_cast<float>(y)); }                      \
  }                                                                                                                    \
  using std::name;
#define POPSCOPE_TEST_OF_HALF(name)                                                                                    \
  namespace std {                                                                                                      \
  inline bool name(half x) { return name(static_cast<float>(x)); }                                                     \
  }
POPSCOPE_OF_HALF(abs)
POPSCOPE_OF_HALF(fabs)
POPSCOPE_OF_HALF(exp)
POPSCOPE_OF_HALF(exp2)
POPSCOPE_OF_HALF(expm1)
POPSCOPE_OF_HALF(log)
POPSCOPE_OF_HALF(log2)
POPSCOPE_OF_HALF(log10)
POPSCOPE_OF_HALF(log1p)
POPSCOPE_OF_HALF(sqrt)
POPSCOPE_OF_HALF(cbrt)
POPSCOPE_OF_HALF(sin)
POPSCOPE_OF_HALF(cos)
POPSCOPE_OF_HALF(tan)
POPSCOPE_OF_HALF(asin)
POPSCOPE_OF_HALF(acos)
POPSCOPE_OF_HALF(atan)
POPSCOPE_OF_HALF(sinh)
POPSCOPE_OF_HALF(cosh)
POPSCOPE_OF_HALF(tanh)
POPSCOPE_OF_HALF(asinh)
POPSCOPE_OF_HALF(acosh)
POPSCOPE_OF_HALF(atanh)
POPSCOPE_OF_HALF(erf)
POPSCOPE_OF_HALF(erfc)
POPSCOPE_OF_HALF(floor)
POPSCOPE_OF_HALF(ceil)
POPSCOPE_OF_HALF(round)
POPSCOPE_OF_HALF(trunc)
POPSCOPE_OF_HALF(rint)
POPSCOPE_OF_HALF(nearbyint)
POPSCOPE_OF_HALVES(pow)
POPSCOPE_OF_HALVES(fmod)
POPSCOPE_OF_HALVES(fmin)
POPSCOPE_OF_HALVES(fmax)
POPSCOPE_OF_HALVES(atan2)
POPSCOPE_OF_HALVES(copysign)
POPSCOPE_OF_HALVES(remainder)
POPSCOPE_TEST_OF_HALF(isnan)
POPSCOPE_TEST_OF_HALF(isinf)
POPSCOPE_TEST_OF_HALF(isfinite)
POPSCOPE_TEST_OF_HALF(signbit)
#undef POPSCOPE_OF_HALF
#undef POPSCOPE_OF_HALVES
#undef POPSCOPE_TEST_OF_HALF
#endif
#endif
