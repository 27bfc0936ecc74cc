// Device side: short vectors of numbers. v[i] is element i; arithmetic works element by element. A conversion to
// another vector type with the same number of bytes keeps the bits.
#ifndef POPSCOPE_IPUDEF_H
#define POPSCOPE_IPUDEF_H
#include "poplar/HalfFloat.hpp"
#include "poplar/Loops.hpp"
#include "poplar/QuarterFloat.hpp"

#define POPSCOPE_VECTOR(type, name, count) typedef type name __attribute__((vector_size(count * sizeof(type))));
#define POPSCOPE_VECTORS(type, name)                                                                                   \
  POPSCOPE_VECTOR(type, name##2, 2)                                                                                    \
  POPSCOPE_VECTOR(type, name##4, 4)
POPSCOPE_VECTORS(char, char)
POPSCOPE_VECTORS(unsigned char, uchar)
POPSCOPE_VECTORS(short, short)
POPSCOPE_VECTORS(unsigned short, ushort)
POPSCOPE_VECTORS(int, int)
POPSCOPE_VECTORS(unsigned, uint)
// long has 32 bits on a tile
POPSCOPE_VECTORS(int, long)
POPSCOPE_VECTORS(unsigned, ulong)
POPSCOPE_VECTOR(long long, longlong2, 2)
POPSCOPE_VECTOR(unsigned long long, ulonglong2, 2)
POPSCOPE_VECTORS(float, float)
typedef long long longlong;
typedef unsigned long long ulonglong;

#if defined(POPSCOPE_NATIVE_HALF)
POPSCOPE_VECTORS(half, half)
POPSCOPE_VECTOR(half, half8, 8)
#else
namespace popscope_device {
/// A vector of N halves with arithmetic operators, for builds in which half is a class.
template <unsigned N> struct alignas(N * sizeof(half)) HalfVector {
  half element[N];
  half &operator[](unsigned i) { return element[i]; }
  const half &operator[](unsigned i) const { return element[i]; }
};
#define POPSCOPE_VECTOR_OPERATOR(op)                                                                                   \
  template <unsigned N> HalfVector<N> &operator op##=(HalfVector<N> &a, const HalfVector<N> &b) {                      \
    for (unsigned i = 0; i != N; ++i)                                                                                  \
      a[i] = a[i] op b[i];                                                                                             \
    return a;                                                                                                          \
  }                                                                                                                    \
  template <unsigned N> HalfVector<N> operator op(HalfVector<N> a, const HalfVector<N> &b) { return a op## = b; }      \
  template <unsigned N> HalfVector<N> &operator op##=(HalfVector<N> &a, half b) {                                      \
    for (unsigned i = 0; i != N; ++i)                                                                                  \
      a[i] = a[i] op b;                                                                                                \
    return a;                                                                                                          \
  }                                                                                                                    \
  template <unsigned N> HalfVector<N> operator op(HalfVector<N> a, half b) { return a op## = b; }                      \
  template <unsigned N> HalfVector<N> operator op(half a, HalfVector<N> b) {                                           \
    for (unsigned i = 0; i != N; ++i)                                                                                  \
      b[i] = a op b[i];                                                                                                \
    return b;                                                                                                          \
  }
POPSCOPE_VECTOR_OPERATOR(+)
POPSCOPE_VECTOR_OPERATOR(-)
POPSCOPE_VECTOR_OPERATOR(*)
POPSCOPE_VECTOR_OPERATOR(/)
#undef POPSCOPE_VECTOR_OPERATOR
template <unsigned N> HalfVector<N> operator-(HalfVector<N> a) {
  for (unsigned i = 0; i != N; ++i)
    a[i] = -a[i];
  return a;
}
} // namespace popscope_device
typedef popscope_device::HalfVector<2> half2;
typedef popscope_device::HalfVector<4> half4;
typedef popscope_device::HalfVector<8> half8;
#endif
#undef POPSCOPE_VECTOR
#undef POPSCOPE_VECTORS
#endif
