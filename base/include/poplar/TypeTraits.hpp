// TypeTraits: size, alignment and kind of a host type, for functions that take data as untyped memory.
#pragma once
#include <poplar/Half.hpp>
#include <poplar/StandardIncludes.hpp>

namespace poplar {

struct TypeTraits {
  std::size_t size;  // in bytes
  std::size_t align; // in bytes
  bool isFloat, isIntegral, isSigned, isSimple, isBool;

  template <class T> static TypeTraits make() {
    return {sizeof(T),
            alignof(T),
            std::is_floating_point<T>::value || isHalf<T>(),
            std::is_integral<T>::value,
            std::is_signed<T>::value || isHalf<T>(),
            isSimpleType<T>(),
            std::is_same<typename std::remove_cv<T>::type, bool>::value};
  }
  /// Returns true for the host's types whose values may initialise device data. The types half and quarter exist only
  /// in codelets, and have no traits. The host's type for a half is Half.
  template <class T> static constexpr bool isSimpleType() { return std::is_arithmetic<T>::value || isHalf<T>(); }

private:
  template <class T> static constexpr bool isHalf() {
    return std::is_same<typename std::remove_cv<T>::type, Half>::value;
  }
};

} // namespace poplar
