// Device side: the type of the counters of hardware loops. On the host, these loops are ordinary loops.
#ifndef POPLAR_LOOPS_HPP
#define POPLAR_LOOPS_HPP
#include "FieldTypes.hpp"

typedef unsigned rptsize_t;
#endif
