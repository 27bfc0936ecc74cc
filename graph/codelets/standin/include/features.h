/* libstdc++ includes <features.h> to find the version of the C library; picolibc names this header <sys/features.h>. */
#ifndef POPSCOPE_STANDIN_FEATURES_H
#define POPSCOPE_STANDIN_FEATURES_H
#include <sys/features.h>
#ifndef __GLIBC_PREREQ
#define __GLIBC_PREREQ(a, b) 0
#endif
#endif
