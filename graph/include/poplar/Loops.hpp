// Device side: the hardware's loops repeat a block up to a count of this type; on any other machine a loop is a loop.
#ifndef POPLAR_LOOPS_HPP
#define POPLAR_LOOPS_HPP
#include "FieldTypes.hpp"

typedef unsigned rptsize_t;
#endif
