/* Constants of a tile. Preprocessor only: assembly includes it. */
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
#ifndef NUM_STRIDE_BITS
#define NUM_STRIDE_BITS 10
#endif
#endif
