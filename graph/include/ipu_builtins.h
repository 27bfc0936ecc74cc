// Device side: compiler builtins of the tile. On the host, the builtins behave as follows. The tile id is the id of the
// vertex's tile. The worker id of a MultiVertex is the number of the call of compute(). The worker id of a Vertex is
// the vertex's position among the vertices of the compute set on the tile, modulo 6. The worker id of a
// SupervisorVertex is 0. The cycle counter contains the number of reads of its low word in the current call of
// compute(), because the host computes values without a clock. Random numbers depend on the vertex, on the number of
// the call of compute() and on the number of compute sets that ran before, not on the seeds. A read of any other
// register returns the value that the same call of compute() wrote, or 0. The accumulators are 0 when compute() begins.
// __builtin_ipu_tapack, 32-bit pointers and assembly exist only on a tile. In the stand-in code, by which Popscope
// counts cycles, each builtin that reads or writes a register or an accumulator takes one instruction. A read by such a
// builtin then returns 0.
#ifndef POPSCOPE_IPU_BUILTINS_H
#define POPSCOPE_IPU_BUILTINS_H
#include "ipu_vector_math"

#include "poplar/TileRegisters.hpp"

/// Makes a call an error if `condition` holds for the constant arguments of the call. Only popc's compiler has this
/// attribute.
#if defined(__POPC__)
#define POPSCOPE_REFUSE(condition, name)                                                                               \
  __attribute__((diagnose_if(condition, "no matching function '" name "': only a tile knows these flags", "error")))
#else
#define POPSCOPE_REFUSE(condition, name)
#endif
/// Takes flags == 0 only, because the meaning of other flags is not public.
inline float2 __builtin_ipu_f32v2gina(float2 x, int flags) POPSCOPE_REFUSE(flags != 0, "__builtin_ipu_f32v2gina");
inline float2 __builtin_ipu_gina(float2 x, int flags) POPSCOPE_REFUSE(flags != 0, "__builtin_ipu_gina");
#undef POPSCOPE_REFUSE

namespace popscope_device {
#ifndef POPSCOPE_PLACE_TYPE
#define POPSCOPE_PLACE_TYPE
struct Place {
  unsigned tile, worker;
  void *vertex;
  unsigned long long cycles;
  unsigned long long random[2];
  unsigned numPuts;
  struct {
    unsigned index, value;
  } puts[512];
  float accumulators[16];
  float scale;
};
#endif

#if defined(__riscv)
/// Returns 0, by one instruction that the compiler can neither drop nor merge with another.
inline unsigned readRegister() {
  unsigned value;
  __asm__ volatile("li %0, 0" : "=r"(value));
  return value;
}
inline void writeRegister(unsigned value) { __asm__ volatile("mv zero, %0" : : "r"(value)); }
/// Returns the class of `x`, by an instruction that only the stand-in has: fclass.s with funct3 = 2.
inline int classOf(float x) {
  int number;
  __asm__(".insn r 0x53, 2, 0x70, %0, %1, f0" : "=r"(number) : "f"(x));
  return number;
}
inline float2 readPair() {
  unsigned pair[2] = {readRegister(), 0};
  pair[1] = pair[0];
  float2 value;
  std::memcpy(&value, pair, sizeof value);
  return value;
}
#else
/// Returns the Place of the calling thread. The machine fills the Place before it calls compute().
inline Place *place() {
  static thread_local Place here = {};
  return &here;
}
/// Returns the next number of xorshift128+.
inline unsigned long long nextRandom() {
  unsigned long long *state = place()->random;
  unsigned long long a = state[0];
  const unsigned long long b = state[1];
  state[0] = b;
  a ^= a << 23;
  state[1] = a ^ b ^ (a >> 18) ^ (b >> 5);
  return state[1] + b;
}
/// Returns one of 2^25 numbers in [-1/2, 1/2), uniformly distributed. The lowest 7 of 32 random bits are 0: near 1/2, a
/// float cannot hold these bits, and would round the number up to 1/2.
inline float nextUniform() {
  return static_cast<float>(static_cast<int>(nextRandom() >> 32) & ~0x7f) * (1.0f / 4294967296.0f);
}
/// Returns a normally distributed number, by the polar method.
inline float nextNormal() {
  for (;;) {
    const float u = 2 * nextUniform(), v = 2 * nextUniform(), square = u * u + v * v;
    if (square > 0 && square < 1)
      return u * std::sqrt(-2 * std::log(square) / square);
  }
}
inline unsigned readRegister(unsigned index) {
  Place *here = place();
  if (index == CSR_W_WSR__INDEX)
    return here->worker;
  if (index == CSR_S_SCOUNT_L__INDEX)
    return static_cast<unsigned>(++here->cycles);
  if (index == CSR_S_SCOUNT_U__INDEX)
    return static_cast<unsigned>(here->cycles >> 32);
  for (unsigned i = 0; i != here->numPuts; ++i)
    if (here->puts[i].index == index)
      return here->puts[i].value;
  return 0;
}
inline void writeRegister(unsigned index, unsigned value) {
  Place *here = place();
  unsigned i = 0;
  while (i != here->numPuts && here->puts[i].index != index)
    ++i;
  if (index >= sizeof here->puts / sizeof here->puts[0])
    return; // no tile has this register
  here->numPuts = i < here->numPuts ? here->numPuts : i + 1;
  here->puts[i].index = index;
  here->puts[i].value = value;
}
constexpr unsigned kArithmeticRegisters = 256; // added to the register numbers of uget and uput, which have a numbering
                                               // of their own
/// Returns the class of `x`: 1 for a signalling NaN, 2 for a quiet NaN. The numbers of the other classes are not
/// public. Popscope numbers these classes from 3 in the order of IEEE 754 (-infinity, -normal, -subnormal, -0, +0,
/// +subnormal, +normal, +infinity).
inline int classOf(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  const unsigned exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
  if (exponent == 0xff && mantissa != 0)
    return mantissa >> 22 != 0 ? 2 : 1;
  const int fromInfinity = exponent == 0xff ? 0 : exponent != 0 ? 1 : mantissa != 0 ? 2 : 3;
  return bits >> 31 != 0 ? 3 + fromInfinity : 10 - fromInfinity;
}
/// Returns accumulators 0 and 2, moves the even accumulators down by four, and writes `in` to accumulators 12 and 14.
inline float2 shiftAccumulators(float2 in) {
  float *a = place()->accumulators;
  const float2 out{a[0], a[2]};
  for (unsigned i = 0; i != 12; i += 2)
    a[i] = a[i + 4];
  a[12] = in[0];
  a[14] = in[1];
  return out;
}
#endif
} // namespace popscope_device

#if defined(__riscv)
inline unsigned __builtin_ipu_get_tile_id() { return popscope_device::readRegister(); }
inline unsigned __builtin_ipu_get_scount_l() { return popscope_device::readRegister(); }
inline unsigned __builtin_ipu_get_scount_u() { return popscope_device::readRegister(); }
inline void *__builtin_ipu_get_vertex_base() {
  void *base;
  __asm__ volatile("mv %0, sp" : "=r"(base));
  return base;
}
inline bool __builtin_ipu_is_worker_mode() { return popscope_device::readRegister() == 0; }
inline unsigned __builtin_ipu_get_worker_id() { return popscope_device::readRegister(); }
inline unsigned __builtin_ipu_get(unsigned) { return popscope_device::readRegister(); }
inline unsigned __builtin_ipu_uget(unsigned) { return popscope_device::readRegister(); }
inline void __builtin_ipu_put(unsigned value, unsigned) { popscope_device::writeRegister(value); }
inline void __builtin_ipu_uput(unsigned value, unsigned) { popscope_device::writeRegister(value); }
inline unsigned __builtin_ipu_urand32() { return popscope_device::readRegister(); }
inline unsigned long long __builtin_ipu_urand64() { return popscope_device::readRegister(); }
inline float __builtin_ipu_urand_f32() {
  float value;
  const unsigned bits = popscope_device::readRegister();
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline float2 __builtin_ipu_f32v2grand() { return popscope_device::readPair(); }
inline half2 __builtin_ipu_f16v2grand() {
  popscope_device::readRegister();
  return half2{half(0.0f), half(0.0f)};
}
inline void __builtin_ipu_aacc_zero() { popscope_device::writeRegister(0); }
inline void __builtin_ipu_put_tas(float) { popscope_device::writeRegister(0); }
inline void __builtin_ipu_f32v2aop(float2, float2, int) { popscope_device::writeRegister(0); }
inline float2 __builtin_ipu_f32v2axpy(float2, float2) { return popscope_device::readPair(); }
inline float2 __builtin_ipu_f32v2gina(float2, int) { return popscope_device::readPair(); }
#else
inline unsigned __builtin_ipu_get_tile_id() { return popscope_device::place()->tile; }
inline unsigned __builtin_ipu_get_scount_l() { return popscope_device::readRegister(CSR_S_SCOUNT_L__INDEX); }
inline unsigned __builtin_ipu_get_scount_u() { return popscope_device::readRegister(CSR_S_SCOUNT_U__INDEX); }
/// Returns the address of the state of the vertex that runs.
inline void *__builtin_ipu_get_vertex_base() { return popscope_device::place()->vertex; }
inline bool __builtin_ipu_is_worker_mode() { return true; }
inline unsigned __builtin_ipu_get_worker_id() { return popscope_device::place()->worker; }
inline unsigned __builtin_ipu_get(unsigned index) { return popscope_device::readRegister(index); }
inline unsigned __builtin_ipu_uget(unsigned index) {
  return popscope_device::readRegister(popscope_device::kArithmeticRegisters + index);
}
inline void __builtin_ipu_put(unsigned value, unsigned index) { popscope_device::writeRegister(index, value); }
inline void __builtin_ipu_uput(unsigned value, unsigned index) {
  popscope_device::writeRegister(popscope_device::kArithmeticRegisters + index, value);
}
inline unsigned __builtin_ipu_urand32() { return static_cast<unsigned>(popscope_device::nextRandom() >> 32); }
inline unsigned long long __builtin_ipu_urand64() { return popscope_device::nextRandom(); }
/// Returns a uniformly distributed number in [-1/2, 1/2).
inline float __builtin_ipu_urand_f32() { return popscope_device::nextUniform(); }
/// Returns two normally distributed numbers.
inline float2 __builtin_ipu_f32v2grand() {
  const float first = popscope_device::nextNormal(), second = popscope_device::nextNormal();
  return float2{first, second};
}
inline half2 __builtin_ipu_f16v2grand() {
  const float2 pair = __builtin_ipu_f32v2grand();
  return half2{half(pair[0]), half(pair[1])};
}
inline void __builtin_ipu_aacc_zero() {
  for (float &accumulator : popscope_device::place()->accumulators)
    accumulator = 0;
}
/// Sets the factor of __builtin_ipu_f32v2axpy.
inline void __builtin_ipu_put_tas(float scale) { popscope_device::place()->scale = scale; }
/// Adds the four products of an element of `x` and an element of `y` to accumulators 0, 2, 4 and 6.
inline void __builtin_ipu_f32v2aop(float2 x, float2 y, int) {
  float *a = popscope_device::place()->accumulators;
  a[0] += x[0] * y[0];
  a[2] += x[1] * y[0];
  a[4] += x[0] * y[1];
  a[6] += x[1] * y[1];
}
/// Sets accumulators 0 and 2 to scale * x + y, and returns their previous values.
inline float2 __builtin_ipu_f32v2axpy(float2 y, float2 x) {
  popscope_device::Place *here = popscope_device::place();
  const float2 before{here->accumulators[0], here->accumulators[2]};
  here->accumulators[0] = here->scale * x[0] + y[0];
  here->accumulators[2] = here->scale * x[1] + y[1];
  return before;
}
inline float2 __builtin_ipu_f32v2gina(float2 x, int) { return popscope_device::shiftAccumulators(x); }
#endif
inline float2 __builtin_ipu_gina(float2 x, int) { return __builtin_ipu_f32v2gina(x, 0); }
inline int __builtin_ipu_f32class(float x) { return popscope_device::classOf(x); }
inline int __builtin_ipu_class(float x) { return popscope_device::classOf(x); }
inline float __builtin_ipu_f32atan(float x) { return ipu::atan(x); }
inline float __builtin_ipu_f16v2sum(half2 x) { return ipu::sum(x); }
inline float2 __builtin_ipu_f16v4sum(half4 x) { return ipu::sum(x); }
template <class V> auto __builtin_ipu_sum(V x) -> decltype(ipu::sum(x)) { return ipu::sum(x); }
inline float __builtin_ipu_f32clamp(float x, float2 limits) { return ipu::clamp(x, limits); }
inline float2 __builtin_ipu_f32v2clamp(float2 x, float2 limits) { return ipu::clamp(x, limits); }
inline half2 __builtin_ipu_f16v2clamp(half2 x, half2 limits) { return ipu::clamp(x, limits); }
inline half4 __builtin_ipu_f16v4clamp(half4 x, half2 limits) { return ipu::clamp(x, limits); }
template <class T, class Limits> T __builtin_ipu_clamp(T x, Limits limits) { return ipu::clamp(x, limits); }
inline float __builtin_ipu_f16tof32(half x) { return static_cast<float>(x); }
inline half __builtin_ipu_f32tof16(float x) { return half(x); }

inline float __builtin_ipu_exp2(float x) { return ipu::exp2(x); }
inline float __builtin_ipu_exp(float x) { return ipu::exp(x); }
inline float __builtin_ipu_ln(float x) { return ipu::log(x); }
inline float __builtin_ipu_log2(float x) { return ipu::log2(x); }
inline float __builtin_ipu_sqrt(float x) { return ipu::sqrt(x); }
inline float __builtin_ipu_rsqrt(float x) { return ipu::rsqrt(x); }
inline float __builtin_ipu_sigmoid(float x) { return ipu::sigmoid(x); }
inline float __builtin_ipu_tanh(float x) { return ipu::tanh(x); }
inline float __builtin_ipu_min(float x, float y) { return ipu::fmin(x, y); }
inline float __builtin_ipu_max(float x, float y) { return ipu::fmax(x, y); }
inline float __builtin_ipu_andc_f32(float x, float y) { return ipu::andc(x, y); }
#endif
