// Device side: VectorList<T, Layout, MinAlign, Interleaved>, a list of vectors. A list whose layout on the tile is
// DELTAN or DELTANELEMENTS has a descriptor with one entry for each vector. In this header, a list of any layout is a
// span of spans.
#ifndef POPLAR_VECTOR_LIST_TYPES_HPP
#define POPLAR_VECTOR_LIST_TYPES_HPP
#include "VectorTypes.hpp"

namespace poplar {

enum class VectorListLayout : unsigned {
  NOT_A_VECTOR,
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  DELTAN,
  DELTANELEMENTS,
  COMPACT_DELTAN
};

template <class T, VectorListLayout L = VectorListLayout::COMPACT_DELTAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
class VectorList : public popscope_device::SpanAccess<popscope_device::SpanAccess<T>> {};

} // namespace poplar
#endif
