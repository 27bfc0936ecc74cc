// Functions that make a program read a tile's cycle counter. On a model, the counter is the tile's estimated clock,
// which continues from run to run. All functions throw invalid_tile_mapping for a tile that the graph does not have.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Adds a read of the cycle counter of `tile` at the beginning of `prog`, and a second read at the end. A sync of type
/// `syncType` precedes each read. Returns the cycles between the two reads as a tensor on `tile`, of type UNSIGNED_INT
/// and shape {2}. The low word comes first.
Tensor cycleCount(Graph &graph, program::Sequence &prog, unsigned tile, SyncType syncType,
                  const DebugContext &debugContext = {});
/// Calls cycleCount with SyncType::INTERNAL.
Tensor cycleCount(Graph &graph, program::Sequence &prog, unsigned tile, const DebugContext &debugContext = {});

/// Appends a sync of type `syncType`, and then a read of the cycle counter of `tile`. Returns the count as a tensor on
/// `tile`, of type UNSIGNED_INT and shape {2}. The low word comes first.
Tensor cycleStamp(Graph &graph, program::Sequence &prog, unsigned tile, SyncType syncType,
                  const DebugContext &debugContext = {});
/// Appends one sync, and then a read of the cycle counter of each given tile. Returns one count for each tile, in the
/// order of `tiles`.
std::vector<Tensor> cycleStamp(Graph &graph, program::Sequence &prog, const std::vector<unsigned> &tiles,
                               SyncType syncType, const DebugContext &debugContext = {});

} // namespace poplar
