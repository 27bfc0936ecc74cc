/* Constants of a tile: memory in bytes, indices and fields of control registers. Preprocessor only: assembly includes
   it. Addresses differ between machines and exist only when compiling for an IPU (AvailableVTypes.h says how that
   shows). */
#ifndef POPLAR_TILE_CONSTANTS_HPP
#define POPLAR_TILE_CONSTANTS_HPP
#ifndef CTXT_WORKERS
#define CTXT_WORKERS 6
#endif
#ifndef TMEM_ELEMSIZE
#define TMEM_ELEMSIZE 0x4000
#endif
#ifndef TMEM_BYTE_MAX_ADDRESS_WIDTH
#define TMEM_BYTE_MAX_ADDRESS_WIDTH 21
#endif
#ifndef TMEM_FULL_ADDRESS_MASK
#define TMEM_FULL_ADDRESS_MASK 0x1fffff
#endif
#ifndef NUM_STRIDE_BITS
#define NUM_STRIDE_BITS 10
#endif
#ifdef POPSCOPE_IPU_ARCH
#if POPSCOPE_IPU_ARCH == 1
#define TMEM_REGION0_BASE_ADDR 0x40000
#define TMEM_REGION1_BASE_ADDR 0x60000
#else
#define TMEM_REGION0_BASE_ADDR 0x4c000
#define TMEM_REGION1_BASE_ADDR 0x80000
#endif
#define TMEM_BASE_ADDR TMEM_REGION0_BASE_ADDR
#endif
/* Floating-point control: initial value (supervisor) and current value (worker), with their fields. */
#ifndef CSR_W_FP_CTL__INDEX
#define CSR_W_FP_CTL__INDEX 258
#endif
#ifndef CSR_S_FP_ICTL__INDEX
#define CSR_S_FP_ICTL__INDEX 32
#define CSR_S_FP_ICTL__INV__SHIFT 0
#define CSR_S_FP_ICTL__INV__MASK 0x1
#define CSR_S_FP_ICTL__DIV0__SHIFT 1
#define CSR_S_FP_ICTL__DIV0__MASK 0x1
#define CSR_S_FP_ICTL__OFLO__SHIFT 2
#define CSR_S_FP_ICTL__OFLO__MASK 0x1
#define CSR_S_FP_ICTL__ESR__SHIFT 19
#define CSR_S_FP_ICTL__ESR__MASK 0x1
#define CSR_S_FP_ICTL__NANOO__SHIFT 20
#define CSR_S_FP_ICTL__NANOO__MASK 0x1
#endif
#ifndef CSR_C_DBG_DATA__INDEX
#define CSR_C_DBG_DATA__INDEX 112
#endif
#endif
