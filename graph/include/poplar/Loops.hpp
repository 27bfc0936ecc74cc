// Device side: the type of the counts of the hardware's loops. On any other machine these loops are ordinary loops.
#ifndef POPLAR_LOOPS_HPP
#define POPLAR_LOOPS_HPP
#include "FieldTypes.hpp"

typedef unsigned rptsize_t;
#endif
