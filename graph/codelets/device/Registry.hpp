// Deduces, from the declarations of a vertex class, everything that the loader of a codelet library needs. Popscope
// does not compile this code into itself: the text is part of each registration unit (a codelet source with generated
// code that describes its vertex classes), after RegistryTable.hpp and before the user's source.
//
//   class V : public Vertex { Input<Vector<float, VectorLayout::ONE_PTR, 8>> in; ... };
//   FieldTraits<decltype(V::in)>   Input, Vector, float, outer = ONE_PTR, minAlign = 8
#ifndef POPSCOPE_REGISTRY_HPP
#define POPSCOPE_REGISTRY_HPP
#include <poplar/Vertex.hpp>
#include <type_traits>
#include <typeinfo>

namespace popscope_device {

using poplar::VectorLayout;
using poplar::VectorListLayout;
template <class...> using Void = void;

// ElementType codes, in the order of popscope::ElementType.
template <class T, class = void> struct ElementCode { static constexpr unsigned value = 0; };
template <class T> struct ElementCode<const T> : ElementCode<T> {};
template <class T>
struct ElementCode<T, typename std::enable_if<std::is_enum<T>::value>::type>
    : ElementCode<typename std::underlying_type<T>::type> {};
template <unsigned N> struct Code { static constexpr unsigned value = N; };
template <> struct ElementCode<bool> : Code<1> {};
template <> struct ElementCode<char> : Code<2> {};
template <> struct ElementCode<unsigned char> : Code<3> {};
template <> struct ElementCode<signed char> : Code<4> {};
template <> struct ElementCode<short> : Code<5> {};
template <> struct ElementCode<unsigned short> : Code<6> {};
template <> struct ElementCode<int> : Code<7> {};
template <> struct ElementCode<unsigned> : Code<8> {};
// On the host, long has 64 bits, and uint64_t is unsigned long. On a tile, uint64_t is unsigned long long. In the
// stand-in, long has 32 bits, and uint32_t may be unsigned long.
template <> struct ElementCode<long> : Code<sizeof(long) == 8 ? 11 : 7> {};
template <> struct ElementCode<unsigned long> : Code<sizeof(long) == 8 ? 12 : 8> {};
template <> struct ElementCode<long long> : Code<11> {};
template <> struct ElementCode<unsigned long long> : Code<12> {};
template <> struct ElementCode<half> : Code<13> {};
template <> struct ElementCode<float> : Code<14> {};
template <> struct ElementCode<quarter> : Code<15> {};
template <> struct ElementCode<MetadataType> : Code<16> {};

enum Direction : unsigned { kState, kInput, kOutput, kInOut };
enum Shape : unsigned { kScalar, kVector, kVectorOfScalars, kVectorOfVectors, kVectorList };

template <class T> struct Plain { static constexpr unsigned type = ElementCode<T>::value, bytes = sizeof(T); };

template <unsigned Dir, unsigned Sh, class T, VectorLayout Outer, VectorLayout Inner, VectorListLayout List,
          unsigned Align, bool Interleaved>
struct Traits {
  static constexpr bool supported = Plain<T>::type != 0;
  static constexpr unsigned direction = Dir, shape = Sh, type = Plain<T>::type, elementBytes = Plain<T>::bytes;
  static constexpr unsigned outer = unsigned(Outer), inner = unsigned(Inner), list = unsigned(List);
  static constexpr unsigned minAlign = Align;
  static constexpr bool interleaved = Interleaved;
};
constexpr VectorLayout kNoVector = VectorLayout::NOT_A_VECTOR;
constexpr VectorListLayout kNoList = VectorListLayout::NOT_A_VECTOR;

struct Unsupported {
  static constexpr bool supported = false, interleaved = false;
  static constexpr unsigned direction = 0, shape = 0, type = 0, elementBytes = 0, outer = 0, inner = 0, list = 0,
                            minAlign = 1;
};

// State: a scalar or a vector of scalars.
template <class T, class = void> struct FieldTraits : Unsupported {};
template <class T> struct FieldTraits<const T> : FieldTraits<T> {};
template <class T> struct FieldTraits<volatile T> : FieldTraits<T> {};
template <class T> struct FieldTraits<const volatile T> : FieldTraits<T> {};
template <class T>
struct FieldTraits<T, typename std::enable_if<!std::is_const<T>::value && !std::is_volatile<T>::value &&
                                              ElementCode<T>::value != 0>::type>
    : Traits<kState, kScalar, T, kNoVector, kNoVector, kNoList, alignof(T), false> {};
template <class T, VectorLayout L, unsigned A, bool I>
struct FieldTraits<poplar::Vector<T, L, A, I>> : Traits<kState, kVector, T, L, kNoVector, kNoList, A, I> {};

// Edges.
template <unsigned Dir, class T>
struct EdgeTraits : Traits<Dir, kScalar, T, kNoVector, kNoVector, kNoList, alignof(T), false> {};
template <unsigned Dir, class T, VectorLayout L, unsigned A, bool I>
struct EdgeTraits<Dir, poplar::Vector<T, L, A, I>> : Traits<Dir, kVector, T, L, kNoVector, kNoList, A, I> {};
template <unsigned Dir, class T, VectorListLayout L, unsigned A, bool I>
struct EdgeTraits<Dir, poplar::VectorList<T, L, A, I>> : Traits<Dir, kVectorList, T, kNoVector, kNoVector, L, A, I> {};

template <class T> struct FieldTraits<poplar::Input<T>> : EdgeTraits<kInput, T> {};
template <class T> struct FieldTraits<poplar::Output<T>> : EdgeTraits<kOutput, T> {};
template <class T> struct FieldTraits<poplar::InOut<T>> : EdgeTraits<kInOut, T> {};

// Vectors of edges: Outer is the layout of the vector that holds the edges.
template <unsigned Dir, VectorLayout Outer, class T>
struct NestedTraits : Traits<Dir, kVectorOfScalars, T, Outer, kNoVector, kNoList, alignof(T), false> {};
template <unsigned Dir, VectorLayout Outer, class T, VectorLayout L, unsigned A, bool I>
struct NestedTraits<Dir, Outer, poplar::Vector<T, L, A, I>>
    : Traits<Dir, kVectorOfVectors, T, Outer, L, kNoList, A, I> {};

template <class T, VectorLayout L, unsigned A, bool I>
struct FieldTraits<poplar::Vector<poplar::Input<T>, L, A, I>> : NestedTraits<kInput, L, T> {};
template <class T, VectorLayout L, unsigned A, bool I>
struct FieldTraits<poplar::Vector<poplar::Output<T>, L, A, I>> : NestedTraits<kOutput, L, T> {};
template <class T, VectorLayout L, unsigned A, bool I>
struct FieldTraits<poplar::Vector<poplar::InOut<T>, L, A, I>> : NestedTraits<kInOut, L, T> {};

/// A struct whose member `type` is the type of a non-static data member. For a static member, a function or a nested
/// type, the struct has no `type`.
template <class T, class Pointer, class = void> struct Declared {};
template <class T, class Pointer>
struct Declared<T, Pointer, typename std::enable_if<std::is_member_object_pointer<Pointer>::value>::type> {
  using type = T;
};

// One field of one class. The registration unit generates F: F::Type<C> is the declared type of the field if class C
// has the field.
template <class C, class F, class = void> struct Field {
  static constexpr bool present = false, supported = true;
  static constexpr FieldRow row{F::name, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
};
template <class C, class F> struct Field<C, F, Void<typename F::template Type<C>>> {
  using T = FieldTraits<typename F::template Type<C>>;
  static constexpr bool present = true, supported = T::supported;
  /// Flags of the field: 1 = interleaved, 2 = const state.
  static constexpr unsigned flags =
      (T::interleaved ? 1u : 0u) |
      (T::direction == kState && std::is_const<typename F::template Type<C>>::value ? 2u : 0u);
  static constexpr FieldRow row{F::name,
                                1,
                                T::direction,
                                T::shape,
                                T::type,
                                T::outer,
                                T::inner,
                                T::list,
                                T::minAlign,
                                flags,
                                T::elementBytes,
                                sizeof(typename F::template Type<C>),
                                F::template offset<C>()};
};

// Detects the form of compute().
template <class C, class = void> struct HasCompute : std::false_type {};
template <class C> struct HasCompute<C, Void<decltype(static_cast<C *>(nullptr)->compute())>> : std::true_type {};
template <class C, class = void> struct HasMultiCompute : std::false_type {};
template <class C>
struct HasMultiCompute<C, Void<decltype(static_cast<C *>(nullptr)->compute(0u))>> : std::true_type {};
template <class C, class = void> struct NamesCompute : std::false_type {};
template <class C> struct NamesCompute<C, Void<decltype(&C::compute)>> : std::true_type {};
template <class C, class = void> struct HasEstimate : std::false_type {};
template <class C>
struct HasEstimate<C, Void<decltype(static_cast<const C *>(nullptr)->getCycleEstimate())>> : std::true_type {};

template <class C> constexpr unsigned baseKind() {
  return std::is_base_of<poplar::SupervisorVertex, C>::value ? 1
         : std::is_base_of<poplar::MultiVertex, C>::value    ? 2
         : std::is_base_of<poplar::Vertex, C>::value         ? 0
                                                             : kNotAVertex;
}
template <class C> constexpr bool computeIsCallable() {
  return baseKind<C>() == 2 ? HasMultiCompute<C>::value : HasCompute<C>::value;
}
/// LaidOut<C> is the type that the compiler lays out. LaidOut<C> is C if C has a vertex base and is not abstract.
/// Otherwise LaidOut<C> is an empty substitute, because it may be impossible to declare a member of type C.
struct NotLaidOut {};
template <class C>
using LaidOut =
    typename std::conditional<baseKind<C>() != kNotAVertex && !std::is_abstract<C>::value, C, NotLaidOut>::type;

/// Returns the kind of a vertex class. A class without compute() is no vertex: the class only holds common fields of
/// derived classes.
template <class C> constexpr unsigned kind() { return computeIsCallable<C>() ? baseKind<C>() : kNotAVertex; }
template <class C> constexpr bool computeIsWrong() {
  return baseKind<C>() != kNotAVertex && NamesCompute<C>::value && !computeIsCallable<C>();
}
/// Returns whether the field's name refers to the member that the compiler placed at `offset` of the host object.
/// Returns true for a class that is no vertex, and for the substitute instruction set.
template <class C, class F> constexpr bool fieldIsReached(unsigned long offset) {
#if defined(__riscv)
  return true;
#else
  return kind<C>() == kNotAVertex || (Field<C, F>::present && Field<C, F>::row.offset == offset);
#endif
}
template <class C, class F> constexpr bool fieldIsSupported() {
  return kind<C>() == kNotAVertex || Field<C, F>::supported;
}

template <class C> bool run(void *vertex, unsigned worker) {
  C &v = *static_cast<C *>(vertex);
  (void)v;
  (void)worker;
  if constexpr (kind<C>() == 2) {
    if constexpr (std::is_void<decltype(v.compute(worker))>::value)
      return v.compute(worker), true;
    else
      return static_cast<bool>(v.compute(worker));
  } else if constexpr (kind<C>() != kNotAVertex) {
    if constexpr (std::is_void<decltype(v.compute())>::value)
      return v.compute(), true;
    else
      return static_cast<bool>(v.compute());
  } else
    return false;
}

#if defined(__riscv)
/// Writes the layout of C for StandInImage: whether C is a vertex, sizeof(C), the number of fields, and 5 numbers for
/// each field.
template <class C, class... F> void writeLayout(unsigned *out) {
  *out++ = kind<C>() != kNotAVertex;
  *out++ = sizeof(C);
  *out++ = sizeof...(F);
  const FieldRow rows[] = {Field<C, F>::row..., FieldRow{}};
  for (unsigned i = 0; i != sizeof...(F); ++i) {
    *out++ = rows[i].present;
    *out++ = static_cast<unsigned>(rows[i].offset);
    *out++ = rows[i].elementBytes;
    *out++ = rows[i].bytes;
    *out++ = rows[i].minAlign;
  }
}
#else
template <class C> unsigned long long estimateCycles(const void *v) {
  return static_cast<unsigned long long>(static_cast<const C *>(v)->getCycleEstimate());
}
template <class C> constexpr auto cycleEstimate() -> unsigned long long (*)(const void *) {
  if constexpr (HasEstimate<C>::value)
    return &estimateCycles<C>;
  else
    return nullptr;
}
template <class C, class Info, class... F> struct Class {
  static constexpr FieldRow fields[sizeof...(F) + 1] = {Field<C, F>::row..., FieldRow{}};
  // `row` is a constant, because Popscope does not run the initialisers of a library that lacks functions.
  static constexpr ClassRow row = {&typeid(C),           kind<C>(), sizeof(C),         alignof(C),      sizeof...(F),
                                   Info::numConstraints, fields,    Info::constraints, Info::definedIn, &run<C>,
                                   cycleEstimate<C>()};
};
// Before C++17, a static data member whose address is taken needs a definition outside of its class.
template <class C, class Info, class... F> constexpr FieldRow Class<C, Info, F...>::fields[sizeof...(F) + 1];
template <class C, class Info, class... F> constexpr ClassRow Class<C, Info, F...>::row;
#endif

} // namespace popscope_device
#endif
