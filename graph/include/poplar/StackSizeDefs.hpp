/* Macros with which assembly sources declare the stack sizes of functions. In this library, the macros expand to
   nothing. This file contains only preprocessor directives, because assembly sources include it. */
#ifndef POPLAR_STACK_SIZE_DEFS_HPP
#define POPLAR_STACK_SIZE_DEFS_HPP
#define DEF_STACK_USAGE(size, name)
#define DEF_STACK_SIZE_OWN(size, name)
#endif
