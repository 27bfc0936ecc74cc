// Device side: Input, Output and InOut of scalars, vectors and vector lists. This header stores a scalar edge as one
// pointer, and any other edge as a pointer and a size. An edge of quarters also stores a pointer to its metadata.
#ifndef POPLAR_IN_OUT_TYPES_HPP
#define POPLAR_IN_OUT_TYPES_HPP
#include <type_traits>
#include <utility>

#include "HalfFloat.hpp"
#include "QuarterFloat.hpp"
#include "VectorListTypes.hpp"
#include "VectorTypes.hpp"

namespace popscope_device {

/// The pointer to the metadata (a format and a scale) of an edge of quarters. Each quarter has a value only together
/// with the metadata. For any other element type, this class is empty.
template <class T> class MetadataOf {};
template <> class MetadataOf<quarter> {
public:
  const MetadataType *getMetadata() const { return metadata_; }

private:
  const MetadataType *metadata_;
};

/// A pointer to the element of a scalar edge. T is const if the vertex only reads the element.
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
#if !defined(POPSCOPE_NATIVE_HALF)
/// The element of an edge of half, for compilers where half is a class. The element converts to float directly, because
/// C++ never chains two user-defined conversions.
template <> class Element<half> : public ElementBase<half> {
public:
  operator float() const { return static_cast<float>(*this->data_); }
};
template <> class Element<const half> : public ElementBase<const half> {
public:
  operator float() const { return static_cast<float>(*this->data_); }
};
#endif

/// Returns the value of an operand: the element of an edge, or the number itself.
template <class T> const T &valueOf(const T &value, ...) { return value; }
template <class T, class = typename T::ScalarElement> typename T::ScalarElement valueOf(const T &edge, int) {
  return *edge;
}
template <class T, class = void> struct ValueType { typedef T type; };
template <class T> struct ValueType<T, typename std::enable_if<(sizeof(typename T::ScalarElement) != 0)>::type> {
  typedef typename T::ScalarElement type;
};
template <class T>
struct IsNumber : std::integral_constant<bool, std::is_arithmetic<T>::value || std::is_same<T, half>::value> {};
template <class A, class B> struct IsHalfExpression {
  typedef typename ValueType<A>::type First;
  typedef typename ValueType<B>::type Second;
  static constexpr bool value = (!std::is_same<A, First>::value || !std::is_same<B, Second>::value) &&
                                (std::is_same<First, half>::value || std::is_same<Second, half>::value) &&
                                IsNumber<First>::value && IsNumber<Second>::value;
};

// These operators combine an edge, which is a class, with the compiler's own half. The compiler has no such operators.
#define POPSCOPE_HALF_OPERATOR(op)                                                                                     \
  template <class A, class B, class = typename std::enable_if<IsHalfExpression<A, B>::value>::type>                    \
  auto operator op(const A &a, const B &b)                                                                             \
      ->decltype(std::declval<typename ValueType<A>::type>() op std::declval<typename ValueType<B>::type>()) {         \
    return valueOf(a, 0) op valueOf(b, 0);                                                                             \
  }
POPSCOPE_HALF_OPERATOR(+)
POPSCOPE_HALF_OPERATOR(-)
POPSCOPE_HALF_OPERATOR(*)
POPSCOPE_HALF_OPERATOR(/)
POPSCOPE_HALF_OPERATOR(<)
POPSCOPE_HALF_OPERATOR(>)
POPSCOPE_HALF_OPERATOR(<=)
POPSCOPE_HALF_OPERATOR(>=)
POPSCOPE_HALF_OPERATOR(==)
POPSCOPE_HALF_OPERATOR(!=)
#undef POPSCOPE_HALF_OPERATOR
inline half operator-(const ElementBase<half> &edge) { return -*edge; }
inline half operator-(const ElementBase<const half> &edge) { return -*edge; }

#define POPSCOPE_HALF_ASSIGNMENT(op)                                                                                   \
  template <class T, class E,                                                                                          \
            class = typename std::enable_if<std::is_same<T, half>::value || std::is_arithmetic<T>::value>::type,       \
            class = typename std::enable_if<IsHalfExpression<T, E>::value>::type>                                      \
  T &operator op(T &to, const E &edge) {                                                                               \
    return to op valueOf(edge, 0);                                                                                     \
  }
POPSCOPE_HALF_ASSIGNMENT(+=)
POPSCOPE_HALF_ASSIGNMENT(-=)
POPSCOPE_HALF_ASSIGNMENT(*=)
POPSCOPE_HALF_ASSIGNMENT(/=)
#undef POPSCOPE_HALF_ASSIGNMENT

/// A scalar that the vertex may write. Assignment writes the element, and never changes the edge's pointer.
template <class T> class ScalarEdge : public Element<T> {
public:
  ScalarEdge() = default;
  ScalarEdge(const ScalarEdge &) = default;
  const ScalarEdge &operator=(const ScalarEdge &other) const { return *this->data_ = *other.data_, *this; }
  ScalarEdge &operator=(const ScalarEdge &other) { return *this->data_ = *other.data_, *this; }
  template <class U> const ScalarEdge &operator=(const U &u) const { return *this->data_ = u, *this; }
  template <class U> const ScalarEdge &operator+=(const U &u) const { return *this->data_ += valueOf(u, 0), *this; }
  template <class U> const ScalarEdge &operator-=(const U &u) const { return *this->data_ -= valueOf(u, 0), *this; }
  template <class U> const ScalarEdge &operator*=(const U &u) const { return *this->data_ *= valueOf(u, 0), *this; }
  template <class U> const ScalarEdge &operator/=(const U &u) const { return *this->data_ /= valueOf(u, 0), *this; }
};

} // namespace popscope_device

namespace poplar {

template <class T> class Input : public popscope_device::Element<const T>, public popscope_device::MetadataOf<T> {};

template <class T> class Output : public popscope_device::ScalarEdge<T>, public popscope_device::MetadataOf<T> {
public:
  Output() = default;
  Output(const Output &) = default;
  const Output &operator=(const Output &other) const { return *this->data_ = *other.data_, *this; }
  Output &operator=(const Output &other) { return *this->data_ = *other.data_, *this; }
  template <class U> const Output &operator=(const U &u) const { return *this->data_ = u, *this; }
};

template <class T> class InOut : public popscope_device::ScalarEdge<T>, public popscope_device::MetadataOf<T> {
public:
  InOut() = default;
  InOut(const InOut &) = default;
  const InOut &operator=(const InOut &other) const { return *this->data_ = *other.data_, *this; }
  InOut &operator=(const InOut &other) { return *this->data_ = *other.data_, *this; }
  template <class U> const InOut &operator=(const U &u) const { return *this->data_ = u, *this; }
};

// A vector edge derives from Vector<T>, so that functions can take the edge as Vector<T> &. The elements of an input
// vector are not const, because existing codelets refer to such elements by T * and T &. A codelet must not write these
// elements, however. The elements of an input row, an input list and an input scalar are const.
template <class T, VectorLayout L, unsigned A, bool I>
class Input<Vector<T, L, A, I>> : public Vector<T, L, A, I>, public popscope_device::MetadataOf<T> {};
template <class T, VectorLayout L, unsigned A, bool I>
class Output<Vector<T, L, A, I>> : public Vector<T, L, A, I>, public popscope_device::MetadataOf<T> {};
template <class T, VectorLayout L, unsigned A, bool I>
class InOut<Vector<T, L, A, I>> : public Vector<T, L, A, I>, public popscope_device::MetadataOf<T> {};

template <class T, VectorListLayout L, unsigned A, bool I>
class Input<VectorList<T, L, A, I>> : public popscope_device::SpanAccess<popscope_device::SpanAccess<const T>>,
                                      public popscope_device::MetadataOf<T> {};
template <class T, VectorListLayout L, unsigned A, bool I>
class Output<VectorList<T, L, A, I>> : public VectorList<T, L, A, I>, public popscope_device::MetadataOf<T> {};
template <class T, VectorListLayout L, unsigned A, bool I>
class InOut<VectorList<T, L, A, I>> : public VectorList<T, L, A, I>, public popscope_device::MetadataOf<T> {};

} // namespace poplar

namespace popscope_device {

/// A row of a vector of inputs: an edge whose elements are const.
template <class Edge> class InputRow : public Edge {
  typedef typename Edge::value_type Value;

public:
  const Value &operator[](std::size_t i) const { return Edge::operator[](i); }
  const Value *begin() const { return Edge::begin(); }
  // end(), front() and back() compile only if the row's layout has a size.
  const Value *end() const { return Edge::end(); }
  const Value *data() const { return Edge::data(); }
  const Value &front() const { return Edge::front(); }
  const Value &back() const { return Edge::back(); }
};

} // namespace popscope_device

namespace poplar {

template <class T, VectorLayout R, unsigned B, bool J, VectorLayout L, unsigned A, bool I>
class Vector<Input<Vector<T, R, B, J>>, L, A, I>
    : public popscope_device::Access<popscope_device::InputRow<Input<Vector<T, R, B, J>>>, L>::Type {};

// Rows of quarters share the metadata of the vector that contains them, so that a row of quarters is no larger than a
// row of another type.
template <VectorLayout R, unsigned B, bool J, VectorLayout L, unsigned A, bool I>
class Vector<Input<Vector<quarter, R, B, J>>, L, A, I>
    : public popscope_device::Access<typename popscope_device::Access<quarter, R>::Type, L>::Type,
      public popscope_device::MetadataOf<quarter> {};
template <VectorLayout L, unsigned A, bool I>
class Vector<Input<quarter>, L, A, I>
    : public popscope_device::Access<popscope_device::Element<const quarter>, L>::Type,
      public popscope_device::MetadataOf<quarter> {};
template <VectorLayout R, unsigned B, bool J, VectorLayout L, unsigned A, bool I>
class Vector<Output<Vector<quarter, R, B, J>>, L, A, I>
    : public popscope_device::Access<typename popscope_device::Access<quarter, R>::Type, L>::Type,
      public popscope_device::MetadataOf<quarter> {};
template <VectorLayout L, unsigned A, bool I>
class Vector<Output<quarter>, L, A, I> : public popscope_device::Access<popscope_device::ScalarEdge<quarter>, L>::Type,
                                         public popscope_device::MetadataOf<quarter> {};
template <VectorLayout R, unsigned B, bool J, VectorLayout L, unsigned A, bool I>
class Vector<InOut<Vector<quarter, R, B, J>>, L, A, I>
    : public popscope_device::Access<typename popscope_device::Access<quarter, R>::Type, L>::Type,
      public popscope_device::MetadataOf<quarter> {};
template <VectorLayout L, unsigned A, bool I>
class Vector<InOut<quarter>, L, A, I> : public popscope_device::Access<popscope_device::ScalarEdge<quarter>, L>::Type,
                                        public popscope_device::MetadataOf<quarter> {};

} // namespace poplar
#endif
