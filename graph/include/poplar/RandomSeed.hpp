// Programs that read and write the seeds of the tiles' random number generators. A device of Popscope stores the seeds
// in plain registers: a read returns the values that the last write stored. No random number generator uses the seeds.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Appends a read of the seeds of all tiles to `prog`. Returns the seeds as a tensor of type UNSIGNED_INT and shape
/// {tiles, worker contexts, 4}. Row t has the seeds of tile t, and is mapped to this tile.
Tensor getHwSeeds(Graph &graph, program::Sequence &prog, const DebugContext &debugContext = {});
/// Appends a write of the seeds of all tiles to `prog`. `seeds` must have the shape and type of the result of
/// getHwSeeds, but may be mapped to any tiles. Throws poplar_error if `seeds` has another shape, and type_error if
/// `seeds` has another type.
void setHwSeeds(Graph &graph, const Tensor &seeds, program::Sequence &prog, const DebugContext &debugContext = {});

} // namespace poplar
