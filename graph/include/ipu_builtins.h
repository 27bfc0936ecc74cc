// Device side: compiler builtins of the tile whose meaning does not depend on it. Builtins that read or write a tile's
// registers do not exist here: code that uses them stands behind #ifdef __IPU__.
#ifndef POPSCOPE_IPU_BUILTINS_H
#define POPSCOPE_IPU_BUILTINS_H
#include "ipu_vector_math"

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
