// The type half as a class. Only HalfFloat.hpp includes this header. With POPSCOPE_HALF_AS_FLOAT, a half is a float of
// four bytes, and arithmetic never rounds to half precision. The codelets of a model or CPU target without accurateHalf
// use POPSCOPE_HALF_AS_FLOAT. Without POPSCOPE_HALF_AS_FLOAT, a half of this class has two bytes. Compilers use the
// class if POPSCOPE_NATIVE_HALF is not defined (HalfFloat.hpp).
#ifndef POPLAR_HALF_CLASS_HPP
#define POPLAR_HALF_CLASS_HPP
#include "IeeeHalf.hpp"
#include <type_traits>

namespace popscope_device {
/// The type in which an object of class half stores its value.
#if defined(POPSCOPE_HALF_AS_FLOAT)
typedef float StoredHalf;
inline StoredHalf storedHalf(float value) { return value; }
inline float loadedHalf(StoredHalf value) { return value; }
inline StoredHalf storedOfBits(std::uint16_t bits) { return halfToFloat(bits); }
inline std::uint16_t bitsOfStored(StoredHalf value) { return floatToHalf(value); }
#else
typedef std::uint16_t StoredHalf;
inline StoredHalf storedHalf(float value) { return floatToHalf(value); }
inline float loadedHalf(StoredHalf bits) { return halfToFloat(bits); }
inline StoredHalf storedOfBits(std::uint16_t bits) { return bits; }
inline std::uint16_t bitsOfStored(StoredHalf bits) { return bits; }
#endif
} // namespace popscope_device

class half {
public:
  half() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  half(T value) : stored_(popscope_device::storedHalf(static_cast<float>(value))) {}
  /// Converts the element of an edge whose elements have an arithmetic type, as in half h = input;
  template <class E, class = typename std::enable_if<std::is_arithmetic<typename E::ScalarElement>::value>::type,
            class = void>
  half(const E &edge) : half(*edge) {}
  operator float() const { return popscope_device::loadedHalf(stored_); }
  half operator-() const { return half(-static_cast<float>(*this)); }
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
  /// Returns the half that has the IEEE bit pattern `bits`. bit16() returns the IEEE bit pattern of a half. Both
  /// functions are independent of the form in which this class stores its value.
  static half fromBits(std::uint16_t bits) {
    half value;
    value.stored_ = popscope_device::storedOfBits(bits);
    return value;
  }
  std::uint16_t bit16() const { return popscope_device::bitsOfStored(stored_); }

private:
  popscope_device::StoredHalf stored_;
};

namespace popscope_device {
/// True for the operand types with which arithmetic on a half gives a half: half and integers. Arithmetic on a half and
/// one of these operands converts each result to half. This conversion rounds the result, except with
/// POPSCOPE_HALF_AS_FLOAT. All other arithmetic on halves uses float.
template <class T> struct IsHalfOperand : std::is_integral<T> {};
template <> struct IsHalfOperand<half> : std::true_type {};
template <class A, class B>
using HalfResult = typename std::enable_if<(std::is_same<A, half>::value && IsHalfOperand<B>::value) ||
                                               (std::is_same<B, half>::value && IsHalfOperand<A>::value),
                                           half>::type;
} // namespace popscope_device

template <class A, class B> popscope_device::HalfResult<A, B> operator+(A a, B b) { return half(float(a) + float(b)); }
template <class A, class B> popscope_device::HalfResult<A, B> operator-(A a, B b) { return half(float(a) - float(b)); }
template <class A, class B> popscope_device::HalfResult<A, B> operator*(A a, B b) { return half(float(a) * float(b)); }
template <class A, class B> popscope_device::HalfResult<A, B> operator/(A a, B b) { return half(float(a) / float(b)); }
#endif
