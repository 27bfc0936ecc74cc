// Checks a graph before lowering builds anything. A check that fails throws a poplar exception. The message contains
// the object, the value and the limit, and states what the user can do.
#pragma once
#include "base/Parallel.hpp"
#include "graph/lowering/CollectUses.hpp"

#include <vector>

namespace popscope {

/// Checks the vertices of executed compute sets. Each vertex must be mapped to an existing tile (invalid_tile_mapping).
/// Each edge field of a vertex must be connected or have a size (graph_connection_error). Each edge of a nested field
/// must be connected, unless setFieldSize gave this edge the size 0 (graph_connection_error). Each state vector must
/// have a size or initial values (no_size_specified). The index of each connected field, and the number of each
/// connected edge in its field, must fit into a VertexEdge (graph_connection_error). The codelets of the graph must
/// define all functions that the vertex's codelet uses (link_error). Throws poplar_error for a program or host access
/// that writes a constant, or that writes an element twice.
void checkGraph(const GraphIr &graph, const GraphUses &uses, Threads threads = {1});
/// Checks that every used element is mapped to a tile, unless the machine is a host with one tile (isOneHostTile). Also
/// checks each variable, even if no program uses the variable. The mapping of the variable must name only existing
/// tiles. The variable must have at most ElementNumber::kMost elements, and fewer than 2^32 bytes on each tile. Throws
/// invalid_tile_mapping if one of these conditions is violated.
void checkMapping(const GraphIr &graph, const GraphUses &uses);
/// Throws graph_cycle_error for a compute set in which a vertex writes an element twice, or writes an element that
/// another vertex reads or writes. Returns, in ascending order of ids, the vertices that read an element through one
/// field and write the same element through another field. Cost: n log n for a set whose edges have n view runs. For a
/// set that writes each element once and reads none of these elements, the cost is only linear in the view runs and in
/// the words of 64 elements that these runs touch. A view run with gaps counts as one view run per element.
std::vector<VertexId> checkRaces(const GraphIr &graph, const std::vector<ComputeSetId> &computeSets, Threads threads);

} // namespace popscope
