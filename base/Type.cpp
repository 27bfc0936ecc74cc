#include "base/PublicTypes.hpp"

namespace poplar {

using popscope::ElementType;
using popscope::makeType;

// constinit: no program's static initialiser can see them before they have their value.
constinit const Type BOOL = makeType(ElementType::Bool);
constinit const Type CHAR = makeType(ElementType::Char);
constinit const Type UNSIGNED_CHAR = makeType(ElementType::UnsignedChar);
constinit const Type SIGNED_CHAR = makeType(ElementType::SignedChar);
constinit const Type SHORT = makeType(ElementType::Short);
constinit const Type UNSIGNED_SHORT = makeType(ElementType::UnsignedShort);
constinit const Type INT = makeType(ElementType::Int);
constinit const Type UNSIGNED_INT = makeType(ElementType::UnsignedInt);
constinit const Type LONG = makeType(ElementType::Long);
constinit const Type UNSIGNED_LONG = makeType(ElementType::UnsignedLong);
constinit const Type LONGLONG = makeType(ElementType::LongLong);
constinit const Type UNSIGNED_LONGLONG = makeType(ElementType::UnsignedLongLong);
constinit const Type HALF = makeType(ElementType::Half);
constinit const Type FLOAT = makeType(ElementType::Float);
constinit const Type QUARTER = makeType(ElementType::Quarter);
constinit const Type QUARTER_METADATA = makeType(ElementType::QuarterMetadata);

StringRef Type::toString() const { return popscope::elementTypeName(popscope::elementType(*this)); }

bool Type::requiresMetadata() const { return popscope::elementType(*this) == ElementType::Quarter; }

std::ostream &operator<<(std::ostream &os, const Type &t) { return os << t.toString(); }

} // namespace poplar

std::size_t std::hash<poplar::Type>::operator()(const poplar::Type &t) const {
  return static_cast<std::size_t>(popscope::elementType(t));
}
