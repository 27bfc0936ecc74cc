// ExpandReplicas: turns a graph with replicated parts (Graph::createReplicatedGraph) into a graph without such parts.
// Runs before lowering.
//
//   vertices          one for each replica, in the same compute set: replicas run at the same time
//   host copies       one for each replica, in replica order: transfer k of replica r is block k * replicas + r of
//                     the stream; a BROADCAST stream is read once, and replica 0 copies the data to the other replicas
//   If, Switch, RepeatWhile on a replica's own value
//                     one for each replica, with a body for that replica alone
//   AbortOnCondition, PrintTensor, Execute with a result
//                     one for each replica, if the tensor belongs to the replicas
//   other programs    one program over the elements of all replicas
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <memory>
#include <vector>

namespace popscope {

struct ExpandedGraph {
  GraphIr graph;
  std::vector<ProgramPtr> programs;
  VertexEstimates estimates;
};

/// Returns the graph with replicas as ordinary parts, or null if the graph has no replicated parts. Throws
/// poplar::control_program_error or poplar::graph_replication_error for a program that wrongly combines a replica and
/// the whole graph: for example, a copy with which all replicas would write one tensor of the whole graph.
[[nodiscard]] std::unique_ptr<ExpandedGraph>
expandReplicas(const GraphIr &graph, const std::vector<ProgramPtr> &programs, const VertexEstimates &estimates);

} // namespace popscope
