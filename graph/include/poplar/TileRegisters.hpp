/* Control registers of a tile, and zones of synchronisation. Both are the same for every target. TileConstants.hpp
   includes this file. This file contains only preprocessor directives, because assembly sources include it. */
#ifndef POPLAR_TILE_REGISTERS_HPP
#define POPLAR_TILE_REGISTERS_HPP
/* Floating-point control: the current value (worker), and the initial value (supervisor) with its fields. */
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
/* Registers whose numbers are not public. Popscope chose the numbers for __builtin_ipu_get and __builtin_ipu_put. */
#ifndef CSR_W_WSR__INDEX
#define CSR_W_WSR__INDEX 1
#define CSR_W_WSR__CTXTID_M1__SHIFT 0
#define CSR_W_WSR__CTXTID_M1__MASK 0x7
#endif
#ifndef CSR_C_PC__INDEX
#define CSR_C_PC__INDEX 2
#endif
#ifndef CSR_S_SCOUNT_L__INDEX
#define CSR_S_SCOUNT_L__INDEX 96
#define CSR_S_SCOUNT_U__INDEX 97
#endif
#ifndef CSR_S_CCCSLOAD__INDEX
#define CSR_S_CCCSLOAD__INDEX 80
#endif
#ifndef CSR_S_FP_INFMT__INDEX
#define CSR_S_FP_INFMT__INDEX 33
#define CSR_S_FP_ISCL__INDEX 34
#endif
#ifndef CSR_S_INCOMING_BASE__INDEX
#define CSR_S_INCOMING_BASE__INDEX 64
#define CSR_S_INCOMING_MUX__INDEX 65
#define CSR_S_OUTGOING_BASE__INDEX 66
#endif
#ifndef CSR_W_REPEAT_COUNT__VALUE__MASK
#define CSR_W_REPEAT_COUNT__INDEX 3
#define CSR_W_REPEAT_COUNT__VALUE__MASK 0xffff
#endif
#ifndef TEXCH_SYNCZONE_LOCAL
#define TEXCH_SYNCZONE_LOCAL 0
#define TEXCH_SYNCZONE_ITNL 1
#define TEXCH_SYNCZONE_ETNL 2
#define TEXCH_SYNCZONE_ALL 3
#endif
#endif
