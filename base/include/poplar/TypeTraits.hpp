// TypeTraits: size, alignment and kind of a host type, for functions that take data as untyped memory.
#pragma once
#include <poplar/StandardIncludes.hpp>

namespace poplar {

struct TypeTraits {
  std::size_t size;  // in bytes
  std::size_t align; // in bytes
  bool isFloat, isIntegral, isSigned, isSimple;

  template <class T> static TypeTraits make() {
    return {sizeof(T),
            alignof(T),
            std::is_floating_point<T>::value,
            std::is_integral<T>::value,
            std::is_signed<T>::value,
            isSimpleType<T>()};
  }
  /// Returns true for the host's types whose values may initialise device data. half and quarter are types of codelets;
  /// they have no traits.
  template <class T> static constexpr bool isSimpleType() { return std::is_arithmetic<T>::value; }
};

} // namespace poplar
