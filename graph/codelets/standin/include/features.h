/* libstdc++ asks the C library for its version through this header; picolibc has its own name for it. */
#ifndef POPSCOPE_STANDIN_FEATURES_H
#define POPSCOPE_STANDIN_FEATURES_H
#include <sys/features.h>
#ifndef __GLIBC_PREREQ
#define __GLIBC_PREREQ(a, b) 0
#endif
#endif
