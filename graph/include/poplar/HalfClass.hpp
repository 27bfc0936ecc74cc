// The half of a compiler that has none of its own: included by HalfFloat.hpp only.
#ifndef POPLAR_HALF_CLASS_HPP
#define POPLAR_HALF_CLASS_HPP
#include "IeeeHalf.hpp"
#include <type_traits>

class half {
public:
  half() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  half(T value) : bits_(popscope_device::floatToHalf(static_cast<float>(value))) {}
  /// From the element of an edge of another type, as in half h = input;
  template <class E, class = typename std::enable_if<std::is_arithmetic<typename E::ScalarElement>::value>::type,
            class = void>
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

namespace popscope_device {
/// half with half and half with an integer stay half, each operation rounded; all else goes through float.
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
