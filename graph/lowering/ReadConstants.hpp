// ReadConstants: finds the elements of constants that each tile reads. Each tile stores these elements once, so that
// exchanges move no constants. The user's mapping has an effect only for readers without a tile of their own (host
// copies, PrintTensor, control).
//   c = {3, 1, 4, 1}, mapped to tile 0, read by vertices on tile 1 (c[0,2)) and tile 5 (all of c)
//   homes: tile 1 c[0,2), tile 5 c[0,4)
// If all elements of a constant have one value, tiles do not store the constant for copies or for operands that consist
// of several tensors. Instead, copy vertices fill the destination with the value. Constants of equal type and bytes
// become one constant, the first of these constants (docs/CATEGORIES.md).
#pragma once
#include "graph/lowering/CollectUses.hpp"
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

struct ConstantRead {
  GraphVarId var;
  TileId tile;
  ElementRange elements;
};

/// Returns, for each graph variable, the variable that lowering uses in its place. For a used constant, the result is
/// the first used constant of equal type and bytes. For any other variable, and for a replication index, the result is
/// the variable itself. `used` has one flag per graph variable, which is 1 if the programs use the variable.
std::vector<GraphVarId> equalConstants(const GraphIr &graph, const std::vector<std::uint8_t> &used);

/// Returns the reads of constants, sorted by variable, tile and element. Joins reads of one tile that overlap or are
/// adjacent. `constants` is the result of equalConstants.
std::vector<ConstantRead> readConstants(const GraphIr &graph, const GraphUses &uses,
                                        const std::vector<GraphVarId> &constants);

/// Returns whether all elements of the constant have the same bytes. Returns false for a constant without elements, and
/// for a replication index.
bool hasOneValue(const GraphVar &constant);

} // namespace popscope
