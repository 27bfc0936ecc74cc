// Marks a function that loops over one number per tile. The function is also compiled for processors with AVX2, and the
// version to use is chosen when the program starts. The loops must be in the function itself, or in functions inlined
// into this function, and must use integers, so that both versions compute the same results.
#pragma once

// If several shared libraries contain the same module, each marked function of the module must be local to its source
// file. If a marked function is not local, the libraries share the choice of the version, and the loader prints a
// warning.
//
// The mark has no effect with sanitizers, because they are not ready when the version is chosen. The mark also has no
// effect with clang, because clang rejects some of these functions.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POPSCOPE_WIDE_LOOPS __attribute__((target_clones("avx2", "default")))
#else
#define POPSCOPE_WIDE_LOOPS
#endif
