// VariableMappingMethod: the tiles of a new variable's elements until setTileMapping changes them.
#pragma once
#include <ostream>
#include <string>

namespace poplar {

/// The initial mapping of a variable. NONE: the variable has no mapping, but on a graph of one tile it is mapped to the
/// tile. LINEAR: in order over all tiles of the graph.
enum class VariableMappingMethod { NONE, LINEAR };

std::string toString(const VariableMappingMethod &method);
std::ostream &operator<<(std::ostream &os, const VariableMappingMethod &method);

} // namespace poplar
