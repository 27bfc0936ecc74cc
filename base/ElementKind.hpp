// The kinds of element types, for code that treats all signed or all unsigned numbers alike.
#pragma once
#include "base/ElementType.hpp"

namespace popscope {

/// The kind of value that the bits of an element represent.
enum class ElementKind : std::uint8_t { Invalid, Bool, Signed, Unsigned, Float, Quarter };

constexpr ElementKind elementKind(ElementType t) {
  switch (t) {
  case ElementType::Invalid: break;
  case ElementType::Bool: return ElementKind::Bool;
  case ElementType::Char: // is signed on the device
  case ElementType::SignedChar:
  case ElementType::Short:
  case ElementType::Int:
  case ElementType::Long:
  case ElementType::LongLong: return ElementKind::Signed;
  case ElementType::UnsignedChar:
  case ElementType::UnsignedShort:
  case ElementType::UnsignedInt:
  case ElementType::UnsignedLong:
  case ElementType::UnsignedLongLong:
  case ElementType::QuarterMetadata: return ElementKind::Unsigned;
  case ElementType::Half:
  case ElementType::Float: return ElementKind::Float;
  case ElementType::Quarter: return ElementKind::Quarter;
  }
  return ElementKind::Invalid;
}

} // namespace popscope
