// Converts between poplar::Type and ElementType.
#pragma once
#include "base/ElementType.hpp"

#include <poplar/Type.hpp>

namespace popscope {

struct TypeAccess {
  static constexpr ElementType element(const poplar::Type &type) { return static_cast<ElementType>(type.id_); }
  static constexpr poplar::Type make(ElementType t) { return poplar::Type(static_cast<unsigned char>(t)); }
};

constexpr ElementType elementType(const poplar::Type &type) { return TypeAccess::element(type); }
constexpr poplar::Type makeType(ElementType t) { return TypeAccess::make(t); }

} // namespace popscope
