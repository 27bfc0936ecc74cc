// VariableMappingMethod: how a new variable is mapped to tiles until setTileMapping changes the mapping.
#pragma once
#include <ostream>
#include <string>

namespace poplar {

/// The initial mapping of a variable. NONE: the variable has no mapping; on a graph of one tile, the variable is mapped
/// to that tile. LINEAR: each tile of the graph gets an equal share of the elements, in order. If the division leaves a
/// remainder, the first tiles get one element more each.
enum class VariableMappingMethod { NONE, LINEAR };

std::string toString(const VariableMappingMethod &method);
std::ostream &operator<<(std::ostream &os, const VariableMappingMethod &method);

} // namespace poplar
