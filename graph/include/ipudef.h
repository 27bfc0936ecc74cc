// Device side: short vector types. Elements are reached with v[i]; arithmetic is element by element.
#ifndef POPSCOPE_IPUDEF_H
#define POPSCOPE_IPUDEF_H
#include "poplar/HalfFloat.hpp"

typedef char char2 __attribute__((vector_size(2)));
typedef char char4 __attribute__((vector_size(4)));
typedef unsigned char uchar2 __attribute__((vector_size(2)));
typedef unsigned char uchar4 __attribute__((vector_size(4)));
typedef short short2 __attribute__((vector_size(4)));
typedef short short4 __attribute__((vector_size(8)));
typedef unsigned short ushort2 __attribute__((vector_size(4)));
typedef unsigned short ushort4 __attribute__((vector_size(8)));
typedef int int2 __attribute__((vector_size(8)));
typedef int int4 __attribute__((vector_size(16)));
typedef unsigned uint2 __attribute__((vector_size(8)));
typedef unsigned uint4 __attribute__((vector_size(16)));
typedef int long2 __attribute__((vector_size(8)));
typedef int long4 __attribute__((vector_size(16)));
typedef unsigned ulong2 __attribute__((vector_size(8)));
typedef unsigned ulong4 __attribute__((vector_size(16)));
typedef long long longlong2 __attribute__((vector_size(16)));
typedef float float2 __attribute__((vector_size(8)));
typedef float float4 __attribute__((vector_size(16)));
typedef unsigned rptsize_t;

namespace popscope_device {
/// half is a class, which a compiler's vector type cannot hold: N halves with the same operators.
template <unsigned N> struct alignas(2 * N) HalfVector {
  half element[N];
  half &operator[](unsigned i) { return element[i]; }
  const half &operator[](unsigned i) const { return element[i]; }
};
template <unsigned N> HalfVector<N> operator+(HalfVector<N> a, const HalfVector<N> &b) {
  for (unsigned i = 0; i != N; ++i)
    a[i] += b[i];
  return a;
}
template <unsigned N> HalfVector<N> operator-(HalfVector<N> a, const HalfVector<N> &b) {
  for (unsigned i = 0; i != N; ++i)
    a[i] -= b[i];
  return a;
}
template <unsigned N> HalfVector<N> operator*(HalfVector<N> a, const HalfVector<N> &b) {
  for (unsigned i = 0; i != N; ++i)
    a[i] *= b[i];
  return a;
}
template <unsigned N> HalfVector<N> operator/(HalfVector<N> a, const HalfVector<N> &b) {
  for (unsigned i = 0; i != N; ++i)
    a[i] /= b[i];
  return a;
}
} // namespace popscope_device
typedef popscope_device::HalfVector<2> half2;
typedef popscope_device::HalfVector<4> half4;
typedef popscope_device::HalfVector<8> half8;
#endif
