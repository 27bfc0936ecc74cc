// Checks a graph before lowering builds anything. Each check throws a poplar exception, whose message contains the
// object, the value, the limit and what to do next.
#pragma once
#include "base/Parallel.hpp"
#include "graph/lowering/CollectUses.hpp"

#include <vector>

namespace popscope {

/// Checks the vertices of executed compute sets. Each vertex must be mapped to an existing tile (invalid_tile_mapping).
/// Each edge field of a vertex must be connected or have a size (graph_connection_error), and each state vector must
/// have a size (no_size_specified). The graph must define all functions that the codelet uses (link_error). Also
/// refuses programs and host accesses that write constants, or views that contain an element twice (poplar_error).
void checkGraph(const GraphIr &graph, const GraphUses &uses, Threads threads = {1});
/// Checks that every used element is mapped to an existing tile (invalid_tile_mapping).
void checkMapping(const GraphIr &graph, const GraphUses &uses);
/// Throws graph_cycle_error for a compute set in which a vertex writes an element twice, or writes an element that
/// another vertex reads or writes. Returns the vertices that read an element through one field and write it through
/// another field, in ascending order. Cost: O(n log n) in runs; a strided run counts as one run for each element.
std::vector<VertexId> checkRaces(const GraphIr &graph, const std::vector<ComputeSetId> &computeSets, Threads threads);

} // namespace popscope
