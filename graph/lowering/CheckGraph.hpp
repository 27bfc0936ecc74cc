// Checks a graph before lowering builds anything. Each check throws a poplar exception, whose message contains the
// object, the value, the limit and what to do next.
#pragma once
#include "base/Parallel.hpp"
#include "graph/lowering/CollectUses.hpp"

#include <vector>

namespace popscope {

/// Checks the vertices of executed compute sets. Each vertex must be mapped to an existing tile (invalid_tile_mapping).
/// Each edge field of a vertex must be connected (graph_connection_error), and each state vector must have a size
/// (no_size_specified). Also refuses copies into constants and into views that contain an element twice (poplar_error).
void checkGraph(const GraphIr &graph, const GraphUses &uses, Threads threads = {1});
/// Checks that every used element is mapped to an existing tile (invalid_tile_mapping).
void checkMapping(const GraphIr &graph, const GraphUses &uses);
/// Throws poplar_error for a compute set in which one vertex writes an element that another vertex writes or reads.
/// Returns the vertices that read an element through one field and write it through another field, in ascending order.
/// Cost: O(n log n) in runs; a strided run counts as one run for each element.
std::vector<VertexId> checkRaces(const GraphIr &graph, const std::vector<ComputeSetId> &computeSets, Threads threads);

} // namespace popscope
