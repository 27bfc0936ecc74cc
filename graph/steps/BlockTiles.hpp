// BlockTiles: finds the tiles that record a block. Lightweight profiling watches one tile per IPU. A watched tile
// records a block if its IPU takes part in the block.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

/// Returns one list for each payload of a Block: the tiles that record the block, in ascending order. The list is empty
/// if the block is not recorded. An IPU takes part in a block if, within the block, the IPU computes, exchanges data,
/// or copies data from or to the host. Functions that the block calls belong to the block. If no IPU takes part, all
/// watched tiles record the block.
std::vector<std::vector<TileId>> blockTiles(const StepProgram &program);

} // namespace popscope
