// The ways in which Graph::clone and Graph::cloneN lay out the new tensor.
#pragma once
#include <ostream>
#include <string>

namespace poplar {

enum class TensorCloneMethod {
  /// Keeps the order of the elements in memory, and the aliases within the tensor. Creates one variable for each
  /// variable of the cloned tensor.
  PRESERVE_ORDER_AND_ALIASES,
  /// Creates one variable. The variable has the elements in the order of the tensor, and the tile mapping of the
  /// tensor.
  CREATE_NEW_ORDER,
  /// Acts as PRESERVE_ORDER_AND_ALIASES if the tensor has no aliases, and otherwise as CREATE_NEW_ORDER.
  PRESERVE_ORDER_UNLESS_ALIASES,
  /// Creates one variable in which the elements of each tile are adjacent. Within a tile, keeps the order of the
  /// elements in memory. Also keeps the aliases within the tensor.
  GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES
};
enum class TensorCloneDuplicationMethod {
  /// Creates N separate clones, each in variables of its own.
  DUPLICATE_BY_OUTERMOST_DIMENSION,
  /// For each contiguous region of elements on one tile, places the N copies of this region next to each other. If the
  /// TensorCloneMethod creates a new order, acts as DUPLICATE_BY_OUTERMOST_DIMENSION.
  DUPLICATE_BY_TILE_CONTIGUOUS_REGION
};

std::string toString(const TensorCloneMethod &method);
std::ostream &operator<<(std::ostream &os, const TensorCloneMethod &method);

} // namespace poplar
