// TypeTraits: size, alignment and kind of a host type, for functions that take untyped data.
#pragma once
#include <poplar/StandardIncludes.hpp>

namespace popscope {
/// Types whose values may initialise device data. The half and quarter headers specialise the trait for their types.
template <class T> struct IsSimpleType : std::is_arithmetic<T> {};
/// True for floating-point types. The same headers specialise the trait.
template <class T> struct IsFloatType : std::is_floating_point<T> {};
} // namespace popscope

namespace poplar {

struct TypeTraits {
  std::size_t size;  // bytes
  std::size_t align; // bytes
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
