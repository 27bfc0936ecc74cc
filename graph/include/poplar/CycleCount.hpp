// Functions that read a tile's cycle counter in the program. On a model, the counter is the tile's estimated clock,
// which continues from run to run. All functions throw invalid_tile_mapping for a tile that the graph does not have.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Puts counter reads on `tile` around `prog`, which becomes the longer sequence, with a sync of `syncType` before
/// each. Returns the cycles between the two: UNSIGNED_INT of shape {2} on that tile, low word first.
Tensor cycleCount(Graph &graph, program::Sequence &prog, unsigned tile, SyncType syncType,
                  const DebugContext &debugContext = {});
/// Counts the cycles of `prog` with SyncType::INTERNAL.
Tensor cycleCount(Graph &graph, program::Sequence &prog, unsigned tile, const DebugContext &debugContext = {});

/// Appends a sync and a read of the counter: UNSIGNED_INT of shape {2} on `tile`, low word first.
Tensor cycleStamp(Graph &graph, program::Sequence &prog, unsigned tile, SyncType syncType,
                  const DebugContext &debugContext = {});
/// Adds one sync, then a read of the cycle counter on each of the tiles.
std::vector<Tensor> cycleStamp(Graph &graph, program::Sequence &prog, const std::vector<unsigned> &tiles,
                               SyncType syncType, const DebugContext &debugContext = {});

} // namespace poplar
