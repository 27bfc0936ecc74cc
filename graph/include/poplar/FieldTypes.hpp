// Device side: everything that can be a field of a vertex.
#ifndef POPLAR_FIELD_TYPES_HPP
#define POPLAR_FIELD_TYPES_HPP
#include "HalfFloat.hpp"
#include "InOutTypes.hpp"
#include "VectorListTypes.hpp"
#include "VectorTypes.hpp"
#endif
