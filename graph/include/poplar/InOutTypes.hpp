// Device side: Input, Output and InOut of scalars, vectors and vector lists. An edge is one pointer when scalar,
// a pointer and a size otherwise.
#ifndef POPLAR_IN_OUT_TYPES_HPP
#define POPLAR_IN_OUT_TYPES_HPP
#include <type_traits>

#include "HalfFloat.hpp"
#include "VectorListTypes.hpp"
#include "VectorTypes.hpp"

namespace popscope_device {

/// Where the element of a scalar edge is. T is const when the vertex only reads it.
template <class T> class ElementBase {
public:
  typedef typename std::remove_const<T>::type ScalarElement;
  operator T &() const { return *data_; }
  T &operator*() const { return *data_; }
  T *operator->() const { return data_; }

protected:
  T *data_;
};
template <class T> class Element : public ElementBase<T> {};
/// half is a class: an edge of half must convert to float itself, as the language chains no two conversions of ours.
template <class T> class HalfElement : public ElementBase<T> {
public:
  operator float() const { return static_cast<float>(*this->data_); }
};
template <> class Element<half> : public HalfElement<half> {};
template <> class Element<const half> : public HalfElement<const half> {};

/// A scalar that the vertex may write. Assignment writes the element, it never moves the edge.
template <class T> class ScalarEdge : public Element<T> {
public:
  template <class U> const ScalarEdge &operator+=(const U &u) const { return *this->data_ += u, *this; }
  template <class U> const ScalarEdge &operator-=(const U &u) const { return *this->data_ -= u, *this; }
  template <class U> const ScalarEdge &operator*=(const U &u) const { return *this->data_ *= u, *this; }
  template <class U> const ScalarEdge &operator/=(const U &u) const { return *this->data_ /= u, *this; }
};

} // namespace popscope_device

namespace poplar {

template <class T> class Input : public popscope_device::Element<const T> {};

template <class T> class Output : public popscope_device::ScalarEdge<T> {
public:
  Output() = default;
  Output(const Output &) = default;
  const Output &operator=(const Output &other) const { return *this->data_ = *other.data_, *this; }
  Output &operator=(const Output &other) { return *this->data_ = *other.data_, *this; }
  template <class U> const Output &operator=(const U &u) const { return *this->data_ = u, *this; }
};

template <class T> class InOut : public popscope_device::ScalarEdge<T> {
public:
  InOut() = default;
  InOut(const InOut &) = default;
  const InOut &operator=(const InOut &other) const { return *this->data_ = *other.data_, *this; }
  InOut &operator=(const InOut &other) { return *this->data_ = *other.data_, *this; }
  template <class U> const InOut &operator=(const U &u) const { return *this->data_ = u, *this; }
};

template <class T, VectorLayout L, unsigned A, bool I>
class Input<Vector<T, L, A, I>> : public popscope_device::Access<T, L>::InputType {};
template <class T, VectorLayout L, unsigned A, bool I>
class Output<Vector<T, L, A, I>> : public popscope_device::Access<T, L>::Type {};
template <class T, VectorLayout L, unsigned A, bool I>
class InOut<Vector<T, L, A, I>> : public popscope_device::Access<T, L>::Type {};

template <class T, VectorListLayout L, unsigned A, bool I>
class Input<VectorList<T, L, A, I>> : public popscope_device::SpanAccess<popscope_device::SpanAccess<const T>> {};
template <class T, VectorListLayout L, unsigned A, bool I>
class Output<VectorList<T, L, A, I>> : public popscope_device::SpanAccess<popscope_device::SpanAccess<T>> {};
template <class T, VectorListLayout L, unsigned A, bool I>
class InOut<VectorList<T, L, A, I>> : public popscope_device::SpanAccess<popscope_device::SpanAccess<T>> {};

} // namespace poplar
#endif
