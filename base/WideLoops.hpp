// A function with loops over the numbers of all tiles: compiled for processors with AVX2 as well, chosen when the
// program starts. The loops must be of the function itself, or of what is inlined into it, and on integers: the results
// are the same.
#pragma once

// Not with sanitizers (the choice is made before they are ready) nor with clang (which refuses some of these
// functions).
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POPSCOPE_WIDE_LOOPS __attribute__((target_clones("avx2", "default")))
#else
#define POPSCOPE_WIDE_LOOPS
#endif
