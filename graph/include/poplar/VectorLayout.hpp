// The layouts of vector fields on a tile. A cycle estimator receives these layouts from a VertexIntrospector. The host
// and the device can use this header.
#ifndef POPLAR_VECTOR_LAYOUT_HPP
#define POPLAR_VECTOR_LAYOUT_HPP
#include <ostream>
#include <string>

namespace poplar {
namespace layout {

enum class Vector { NotAVector, Span, ShortSpan, OnePtr, ScaledPtr32, ScaledPtr64, ScaledPtr128 };
enum class VectorList { NotAVector, OnePtr, ScaledPtr32, ScaledPtr64, ScaledPtr128, DeltaN, DeltaNElements };

inline std::string to_string(Vector layout) {
  switch (layout) {
  case Vector::NotAVector: return "NotAVector";
  case Vector::Span: return "Span";
  case Vector::ShortSpan: return "ShortSpan";
  case Vector::OnePtr: return "OnePtr";
  case Vector::ScaledPtr32: return "ScaledPtr32";
  case Vector::ScaledPtr64: return "ScaledPtr64";
  case Vector::ScaledPtr128: return "ScaledPtr128";
  }
  return "unknown";
}

inline std::string to_string(VectorList layout) {
  switch (layout) {
  case VectorList::NotAVector: return "NotAVector";
  case VectorList::OnePtr: return "OnePtr";
  case VectorList::ScaledPtr32: return "ScaledPtr32";
  case VectorList::ScaledPtr64: return "ScaledPtr64";
  case VectorList::ScaledPtr128: return "ScaledPtr128";
  case VectorList::DeltaN: return "DeltaN";
  case VectorList::DeltaNElements: return "DeltaNElements";
  }
  return "unknown";
}

inline std::ostream &operator<<(std::ostream &os, Vector layout) { return os << to_string(layout); }
inline std::ostream &operator<<(std::ostream &os, VectorList layout) { return os << to_string(layout); }

} // namespace layout
} // namespace poplar
#endif
