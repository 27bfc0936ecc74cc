/* Defines the hardware's constants. This file has the path at which the SDK declares these constants. */
#ifndef POPSCOPE_ARCH_GC_TILE_DEFINES_H
#define POPSCOPE_ARCH_GC_TILE_DEFINES_H
#include "../poplar/TileConstants.hpp"
#endif
