// Device side: the hardware's loop instructions need nothing from a header here, so that this file only brings in
// the field types, as sources that include it expect.
#ifndef POPLAR_LOOPS_HPP
#define POPLAR_LOOPS_HPP
#include "FieldTypes.hpp"
#endif
