// Device side: compiler builtins of the tile. On the host, the builtins behave as follows. Tile and worker are the tile
// and the worker to which the program assigns the vertex. A cycle counter returns the number of its reads in the
// current call of compute(), because the host computes values without a clock. Random numbers depend on the vertex and
// on the number of earlier compute sets, not on the seeds. A read of any other register returns the value that the same
// call of compute() wrote, or 0. __builtin_ipu_tapack, pointers in 32 bits and assembly exist only on a tile. In the
// stand-in, which counts cycles, each builtin that reads or writes a register takes one instruction, and a read returns
// 0.
#ifndef POPSCOPE_IPU_BUILTINS_H
#define POPSCOPE_IPU_BUILTINS_H
#include "ipu_vector_math"

#include "poplar/TileRegisters.hpp"

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
  } puts[8];
};
#endif

#if defined(__riscv)
/// Executes one instruction that the compiler can neither drop nor merge with another.
inline unsigned readRegister() {
  unsigned value;
  __asm__ volatile("li %0, 0" : "=r"(value));
  return value;
}
inline void writeRegister(unsigned value) { __asm__ volatile("mv zero, %0" : : "r"(value)); }
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
/// Returns one of 2^32 numbers in [-1/2, 1/2), uniformly distributed.
inline float nextUniform() { return static_cast<float>(static_cast<int>(nextRandom() >> 32)) * (1.0f / 4294967296.0f); }
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
  if (i == sizeof here->puts / sizeof here->puts[0])
    return; // more registers than any codelet writes
  here->numPuts = i < here->numPuts ? here->numPuts : i + 1;
  here->puts[i].index = index;
  here->puts[i].value = value;
}
constexpr unsigned kArithmeticRegisters = 256; // added to the register numbers of uget and uput, which have a numbering
                                               // of their own
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
inline float2 __builtin_ipu_f32v2grand() {
  const float value = __builtin_ipu_urand_f32();
  return float2{value, value};
}
#else
inline unsigned __builtin_ipu_get_tile_id() { return popscope_device::place()->tile; }
inline unsigned __builtin_ipu_get_scount_l() { return popscope_device::readRegister(CSR_S_SCOUNT_L__INDEX); }
inline unsigned __builtin_ipu_get_scount_u() { return popscope_device::readRegister(CSR_S_SCOUNT_U__INDEX); }
/// Returns the address of the state of the vertex that runs.
inline void *__builtin_ipu_get_vertex_base() { return popscope_device::place()->vertex; }
inline bool __builtin_ipu_is_worker_mode() { return true; }
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
/// Returns a number uniformly distributed in [-1/2, 1/2).
inline float __builtin_ipu_urand_f32() { return popscope_device::nextUniform(); }
/// Returns two normally distributed numbers.
inline float2 __builtin_ipu_f32v2grand() {
  const float first = popscope_device::nextNormal(), second = popscope_device::nextNormal();
  return float2{first, second};
}
#endif
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
