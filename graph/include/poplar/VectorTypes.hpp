// Device side: defines Vector<T, Layout, MinAlign, Interleaved>, the type of a vector field, and the layouts of such a
// field. This header stores a vector of any layout as a pointer and a size. Popscope computes the bytes of fields on a
// tile from the declared types, not from this storage. If a layout stores no size on a tile, vectors of this layout
// have no size() in this header.
#ifndef POPLAR_VECTOR_TYPES_HPP
#define POPLAR_VECTOR_TYPES_HPP
#include <cstddef>
#include <cstdint>

namespace poplar {

enum class VectorLayout : unsigned {
  NOT_A_VECTOR,
  SPAN,
  SHORT_SPAN,
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  COMPACT_PTR
};

} // namespace poplar

namespace popscope_device {

/// Access to the elements of a vector that stores its size: SPAN, SHORT_SPAN, and each vector of a list of vectors.
template <class T> class SpanAccess {
public:
  typedef T value_type;
  T &operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *begin() const { return data_; }
  T *end() const { return data_ + size_; }
  T *data() const { return data_; }
  T &front() const { return data_[0]; }
  T &back() const { return data_[size_ - 1]; }
  const SpanAccess &operator*() const { return *this; }
  const SpanAccess *operator->() const { return this; }

private:
  T *data_;
  std::size_t size_;
};

/// Access to the elements of a vector that is only a pointer on the tile, without a size: ONE_PTR, SCALED_PTR32 and so
/// on.
template <class T> class PtrAccess {
public:
  typedef T value_type;
  T &operator[](std::size_t i) const { return data_[i]; }
  T &operator*() const { return *data_; }
  T *operator->() const { return data_; }
  T *begin() const { return data_; }
  T *data() const { return data_; }

private:
  T *data_;
  std::size_t size_;
};

template <class T, poplar::VectorLayout L> struct Access {
  static_assert(L != poplar::VectorLayout::NOT_A_VECTOR, "a Vector field needs a vector layout");
  typedef PtrAccess<T> Type;
};
template <class T> struct Access<T, poplar::VectorLayout::SPAN> { typedef SpanAccess<T> Type; };
template <class T> struct Access<T, poplar::VectorLayout::SHORT_SPAN> { typedef SpanAccess<T> Type; };

} // namespace popscope_device

namespace poplar {

/// A vector field. A Vector alone is a part of the vertex state; a Vector inside Input, Output or InOut is an edge.
/// MinAlign is in bytes.
template <class T, VectorLayout L = VectorLayout::SPAN, unsigned MinAlign = alignof(T), bool Interleaved = false>
class Vector : public popscope_device::Access<T, L>::Type {};

} // namespace poplar
#endif
