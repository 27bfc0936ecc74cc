/* The hardware's constants under the name of the file that the SDK keeps them in. */
#ifndef POPSCOPE_ARCH_GC_TILE_DEFINES_H
#define POPSCOPE_ARCH_GC_TILE_DEFINES_H
#include "../poplar/TileConstants.hpp"
#endif
