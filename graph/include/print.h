/* Device side: declares printf. */
#ifndef POPSCOPE_PRINT_H
#define POPSCOPE_PRINT_H
#include <stdio.h>
#endif
