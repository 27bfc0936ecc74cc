#include "graph/ir/Replicas.hpp"

#include "graph/ir/ViewOps.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace popscope {

TileId tileInReplica(const ReplicaSplit &split, TileId tile, std::uint32_t k, const std::string &what) {
  // The tiles of a part have the order of its handle, which nearly always ascends.
  const std::vector<TileId> &own = split.tiles.front();
  auto at = std::lower_bound(own.begin(), own.end(), tile);
  if (at == own.end() || *at != tile)
    at = std::find(own.begin(), own.end(), tile);
  if (at == own.end())
    throw poplar::graph_replication_error(
        fmt::format("{} lies on tile {} of the device, which replica 0 of its replicated graph does "
                    "not have ({} tiles from {}). Map it through the replicated graph.",
                    what, tile.index(), own.size(), own.front().index()));
  return split.tiles[k][static_cast<std::size_t>(at - own.begin())];
}

void replicateVariable(GraphIr &ir, GraphVarId var, SplitIndex split) {
  if (split == 0)
    return;
  std::vector<GraphVarId> replicas{var};
  for (std::uint32_t k = 1; k < ir.splits[split - 1].replicas(); ++k) {
    GraphVar copy;
    copy.name = ir.vars[var].name;
    copy.type = ir.vars[var].type;
    copy.elements = ir.vars[var].elements;
    copy.constant = ir.vars[var].constant;
    replicas.push_back(ir.vars.push(std::move(copy)));
  }
  ir.vars[var].split = split;
  ir.vars[var].replicas = std::move(replicas);
  copyMappingToReplicas(ir, var);
  copyContentsToReplicas(ir, var);
}

GraphVarId addVariable(GraphIr &ir, GraphVar var, SplitIndex split) {
  const GraphVarId id = ir.vars.push(std::move(var));
  replicateVariable(ir, id, split);
  return id;
}

void copyMappingToReplicas(GraphIr &ir, GraphVarId var) {
  const GraphVar &from = ir.vars[var];
  for (std::uint32_t k = 1; k < from.replicas.size(); ++k) {
    std::vector<MappedRange> mapping = from.mapping;
    for (MappedRange &range : mapping)
      range.tile =
          tileInReplica(ir.splits[from.split - 1], range.tile, k, fmt::format("Variable \"{}\"", ir.names[from.name]));
    ir.vars[from.replicas[k]].mapping = std::move(mapping);
  }
}

void copyContentsToReplicas(GraphIr &ir, GraphVarId var) {
  const GraphVar &from = ir.vars[var];
  for (std::uint32_t k = 1; k < from.replicas.size(); ++k) {
    ir.vars[from.replicas[k]].type = from.type;
    ir.vars[from.replicas[k]].initial = from.initial;
  }
}

std::uint32_t replicasOf(const GraphIr &ir, const View &view) {
  std::size_t replicas = 1;
  for (const ViewRun &run : view.runs) {
    const GraphVar &var = ir.vars[run.var];
    if (var.replicas.empty() || run.ofWhole)
      continue;
    if (replicas != 1 && replicas != var.replicas.size())
      throw poplar::graph_replication_error(
          fmt::format("A tensor with variable \"{}\" joins elements of graphs of {} and of {} replicas.",
                      ir.names[var.name], replicas, var.replicas.size()));
    replicas = var.replicas.size();
  }
  return static_cast<std::uint32_t>(replicas);
}

namespace {
GraphVarId inReplica(const GraphIr &ir, const ViewRun &run, std::uint32_t k) {
  const auto &replicas = ir.vars[run.var].replicas;
  return replicas.empty() || run.ofWhole ? run.var : replicas[k];
}
} // namespace

View viewInReplica(const GraphIr &ir, const View &view, std::uint32_t k) {
  View moved = view;
  moved.runs.renameVars([&](const ViewRun &run) { return inReplica(ir, run, k); });
  return moved;
}

ViewRuns runsInReplica(const GraphIr &ir, const RunList &runs, std::uint32_t k) {
  ViewRuns moved(std::vector<ViewRun>(runs.begin(), runs.end()));
  moved.renameVars([&](const ViewRun &run) { return inReplica(ir, run, k); });
  return moved;
}

View viewOfAllReplicas(const GraphIr &ir, const View &view, std::uint32_t replicas) {
  View all;
  all.type = view.type;
  all.shape = view.shape;
  all.shape.insert(all.shape.begin(), replicas);
  RunBuilder runs;
  for (std::uint32_t k = 0; k < replicas; ++k)
    for (ViewRun run : viewInReplica(ir, view, k).runs) {
      run.ofWhole = true;
      runs.append(run);
    }
  all.runs = runs.take();
  return all;
}

} // namespace popscope
