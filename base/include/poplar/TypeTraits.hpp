// TypeTraits: size, alignment and kind of a host type, for functions that take data as untyped memory.
#pragma once
#include <poplar/StandardIncludes.hpp>

namespace popscope {
/// True for types whose values may initialise device data. The headers of half and quarter specialise the trait for
/// their types.
template <class T> struct IsSimpleType : std::is_arithmetic<T> {};
/// True for floating-point types. The headers of half and quarter specialise this trait, too.
template <class T> struct IsFloatType : std::is_floating_point<T> {};
} // namespace popscope

namespace poplar {

struct TypeTraits {
  std::size_t size;  // in bytes
  std::size_t align; // in bytes
  bool isFloat, isIntegral, isSigned, isSimple;

  template <class T> static TypeTraits make() {
    return {sizeof(T),
            alignof(T),
            popscope::IsFloatType<T>::value,
            std::is_integral<T>::value,
            std::is_signed<T>::value || popscope::IsFloatType<T>::value,
            isSimpleType<T>()};
  }
  template <class T> static constexpr bool isSimpleType() { return popscope::IsSimpleType<T>::value; }
};

} // namespace poplar
