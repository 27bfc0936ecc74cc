// Replicas: adds the variables of splits (replicated graphs, GraphIr::splits), and converts a view into the view of one
// replica or of all replicas.
//
//   split of 2 replicas, variable v with replicas {v, w}
//   view (v,0,+1,4)   replica 0: (v,0,+1,4)   replica 1: (w,0,+1,4)   all: both, one after the other
#pragma once
#include "graph/ir/GraphIr.hpp"

namespace popscope {

/// Returns the number of replicas of a split. Returns 1 if `split` is 0 (no split).
[[nodiscard]] inline std::uint32_t partsOf(const GraphIr &ir, SplitIndex split) {
  return split == 0 ? 1 : ir.splits[split - 1].replicas();
}
/// Adds a variable. In a split, also adds a variable for each replica except replica 0, with equal contents and with
/// the mapping moved to that replica's tiles.
GraphVarId addVariable(GraphIr &ir, GraphVar var, SplitIndex split);
/// For a variable that only replica 0 has so far, adds the variables of the other replicas. Does nothing if `split` is
/// 0 (no split).
void replicateVariable(GraphIr &ir, GraphVarId var, SplitIndex split);
/// Gives the variables of the other replicas the mapping of `var`, moved to the tiles of each replica. Throws
/// poplar::graph_replication_error if the mapping contains a tile that replica 0 does not have.
void copyMappingToReplicas(GraphIr &ir, GraphVarId var);
void copyContentsToReplicas(GraphIr &ir, GraphVarId var);

/// Returns the number of replicas of the graph to which the runs of the view belong. Returns 1 if every run belongs to
/// the whole graph. Throws poplar::graph_replication_error if runs belong to graphs with different numbers of replicas.
[[nodiscard]] std::uint32_t replicasOf(const GraphIr &ir, const View &view);
/// Returns the view in replica k. Elements of variables that belong to the whole graph stay the same.
[[nodiscard]] View viewInReplica(const GraphIr &ir, const View &view, std::uint32_t k);
[[nodiscard]] ViewRuns runsInReplica(const GraphIr &ir, const RunList &runs, std::uint32_t k);
/// Joins the views that `view` has in the first `replicas` replicas, along a new first dimension. The result is a view
/// of the whole graph (ViewRun::ofWhole).
[[nodiscard]] View viewOfAllReplicas(const GraphIr &ir, const View &view, std::uint32_t replicas);
/// Returns the tile of replica k that corresponds to `tile` of replica 0. Throws poplar::graph_replication_error if
/// replica 0 does not have `tile`; the message contains `what`.
[[nodiscard]] TileId tileInReplica(const ReplicaSplit &split, TileId tile, std::uint32_t k, const std::string &what);

} // namespace popscope
