/* Constants of a tile: memory in bytes, indices and fields of control registers. This file contains only preprocessor
   directives, because assembly sources include it. Addresses differ between machines, so the file defines addresses
   only in code compiled for an IPU (see AvailableVTypes.h). */
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
#ifdef __IPU_ARCH_VERSION__
#if __IPU_ARCH_VERSION__ == 1
#define TMEM_REGION0_BASE_ADDR 0x40000
#define TMEM_REGION1_BASE_ADDR 0x60000
#else
#define TMEM_REGION0_BASE_ADDR 0x4c000
#define TMEM_REGION1_BASE_ADDR 0x80000
#endif
#define TMEM_BASE_ADDR TMEM_REGION0_BASE_ADDR
#endif
#include "TileRegisters.hpp"
#endif
