// Device side: the types that the fields of a vertex can have.
#ifndef POPLAR_FIELD_TYPES_HPP
#define POPLAR_FIELD_TYPES_HPP
#include "HalfFloat.hpp"
#include "InOutTypes.hpp"
#include "VectorListTypes.hpp"
#include "VectorTypes.hpp"
#endif
