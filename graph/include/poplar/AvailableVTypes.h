/* Defines macros for the vector layouts that the target has. Contains only preprocessor directives, because assembly
   sources include this file, too. Popscope defines __IPU_ARCH_VERSION__ as 1, 2 or 21 if the graph's target is an IPU
   or an IPU Model. A CPU target has full pointers only. */
#ifndef POPLAR_AVAILABLE_VTYPES_H
#define POPLAR_AVAILABLE_VTYPES_H
#ifdef __IPU_ARCH_VERSION__
#define VECTOR_AVAIL_SHORT_SPAN
#if __IPU_ARCH_VERSION__ == 1
#define VECTOR_AVAIL_SCALED_PTR32
#define VECTOR_AVAIL_SCALED_PTR64
#define VECTORLIST_AVAIL_DELTAN
#else
#define VECTOR_AVAIL_SCALED_PTR128
#endif
#endif
#endif
