// The seeds of the tiles' random number generators, read and written by the program. A model keeps them as plain
// registers: reading returns the values that were set. They drive no random generator.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Appends a read of the seeds of all tiles: UNSIGNED_INT of shape {tiles, worker contexts, 4}, row t on tile t.
Tensor getHwSeeds(Graph &graph, program::Sequence &prog, const DebugContext &debugContext = {});
/// Appends a write of the seeds. `seeds` is as getHwSeeds returns it, but may be mapped anywhere. Throws poplar_error
/// for another shape, and type_error for another type.
void setHwSeeds(Graph &graph, const Tensor &seeds, program::Sequence &prog, const DebugContext &debugContext = {});

} // namespace poplar
