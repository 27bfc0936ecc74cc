// Marks a function with loops over the numbers of all tiles: it is compiled also for processors with AVX2, and the
// version is chosen when the program starts. The loops must be in the function itself, or in functions inlined into it,
// and use integers, so that the results are the same.
#pragma once

// The mark has no effect with sanitizers, which are not ready when the choice is made, and with clang, which refuses
// some of these functions.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POPSCOPE_WIDE_LOOPS __attribute__((target_clones("avx2", "default")))
#else
#define POPSCOPE_WIDE_LOOPS
#endif
