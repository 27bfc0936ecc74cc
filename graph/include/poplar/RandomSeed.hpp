// Programs that read and write the seeds of the tiles' random number generators. A model stores the seeds in plain
// registers: a read returns the values that were written. No random number generator uses the seeds.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Appends a read of the seeds of all tiles. Returns the seeds as a tensor of type UNSIGNED_INT and shape {tiles,
/// worker contexts, 4}. Row t is on tile t.
Tensor getHwSeeds(Graph &graph, program::Sequence &prog, const DebugContext &debugContext = {});
/// Appends a write of the seeds. `seeds` has the shape and type of the result of getHwSeeds, but may be mapped to any
/// tiles. Throws poplar_error if `seeds` has another shape, and type_error if `seeds` has another type.
void setHwSeeds(Graph &graph, const Tensor &seeds, program::Sequence &prog, const DebugContext &debugContext = {});

} // namespace poplar
