#include "base/PublicTypes.hpp"

namespace poplar {

using popscope::ElementType;
using popscope::makeType;

// The types are constinit, so that static initialisers of a program never see a type without its value.
constinit Type BOOL = makeType(ElementType::Bool);
constinit Type CHAR = makeType(ElementType::Char);
constinit Type UNSIGNED_CHAR = makeType(ElementType::UnsignedChar);
constinit Type SIGNED_CHAR = makeType(ElementType::SignedChar);
constinit Type SHORT = makeType(ElementType::Short);
constinit Type UNSIGNED_SHORT = makeType(ElementType::UnsignedShort);
constinit Type INT = makeType(ElementType::Int);
constinit Type UNSIGNED_INT = makeType(ElementType::UnsignedInt);
constinit Type LONG = makeType(ElementType::Long);
constinit Type UNSIGNED_LONG = makeType(ElementType::UnsignedLong);
constinit Type LONGLONG = makeType(ElementType::LongLong);
constinit Type UNSIGNED_LONGLONG = makeType(ElementType::UnsignedLongLong);
constinit Type HALF = makeType(ElementType::Half);
constinit Type FLOAT = makeType(ElementType::Float);
constinit Type QUARTER = makeType(ElementType::Quarter);
constinit Type QUARTER_METADATA = makeType(ElementType::QuarterMetadata);

StringRef Type::toString() const { return popscope::elementTypeName(popscope::elementType(*this)); }

bool Type::requiresMetadata() const { return popscope::elementType(*this) == ElementType::Quarter; }

bool Type::isFloatingPoint() const { return *this == QUARTER || *this == HALF || *this == FLOAT; }

std::ostream &operator<<(std::ostream &os, const Type &t) { return os << t.toString(); }

} // namespace poplar

std::size_t std::hash<poplar::Type>::operator()(const poplar::Type &t) const {
  return static_cast<std::size_t>(popscope::elementType(t));
}
