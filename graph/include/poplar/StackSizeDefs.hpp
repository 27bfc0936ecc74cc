/* Stack declarations of assembly functions; empty in code for the host. Preprocessor only: assembly includes it. */
#ifndef POPLAR_STACK_SIZE_DEFS_HPP
#define POPLAR_STACK_SIZE_DEFS_HPP
#define DEF_STACK_USAGE(size, name)
#define DEF_STACK_SIZE_OWN(size, name)
#endif
