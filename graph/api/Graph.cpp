// Graph: construction, replicas and virtual graphs.
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/ir/Replicas.hpp"

#include "base/Check.hpp"
#include "base/Version.hpp"
#include "target-models/model/PublicTarget.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <atomic>
#include <fmt/format.h>
#include <numeric>
#include <set>

using popscope::GraphAccess;
using popscope::GraphHandle;
using popscope::TileId;

namespace poplar {

namespace {

/// Returns the part of the target that one replica has.
Target targetOfReplica(const Target &target, unsigned replicas) {
  const unsigned ipus = target.getNumIPUs();
  if (replicas == 0 || ipus % replicas != 0)
    throw graph_replication_error(
        fmt::format("A replication factor of {} is requested, but the target's {} IPU(s) cannot be "
                    "divided into {} equal parts. Choose a divisor of {}, or a target with more IPUs.",
                    replicas, ipus, replicas, ipus));
  return replicas == 1 ? target : target.createVirtualTarget(ipus / replicas, target.getTilesPerIPU());
}

/// Returns a number that no graph of this process has had. Handles keep this number and not the address of their graph,
/// because a later graph can get the address of a destroyed graph.
popscope::GraphId newGraphId() {
  static std::atomic<std::uint32_t> next{0};
  const popscope::GraphId id(next.fetch_add(1, std::memory_order_relaxed));
  POPSCOPE_CHECK(id.valid(), "this process has made {} graphs, which is the limit", id.index());
  return id;
}

std::unique_ptr<GraphHandle> newGraph(const Target &target, unsigned replicas) {
  auto handle = std::make_unique<GraphHandle>();
  handle->target = targetOfReplica(target, replicas);
  handle->graph = std::make_shared<popscope::GraphShared>();
  handle->graph->ir.id = newGraphId();
  handle->graph->ir.machine = popscope::machineOf(handle->target);
  handle->graph->ir.replicationFactor = replicas;
  handle->graph->target = handle->target;
  return handle;
}

/// Creates a virtual graph. `tiles` are tiles of `parent`.
std::unique_ptr<GraphHandle> virtualGraph(const GraphHandle &parent, const std::vector<unsigned> &tiles, unsigned ipus,
                                          unsigned tilesPerIpu) {
  auto handle = std::make_unique<GraphHandle>();
  handle->graph = parent.graph;
  handle->target = parent.target.createVirtualTarget(ipus, tilesPerIpu);
  for (const unsigned t : tiles) {
    const TileId tile = parent.deviceTile(t, [] { return "A virtual graph"; });
    handle->inverse.emplace(tile.index(), static_cast<unsigned>(handle->tiles.size()));
    handle->tiles.push_back(tile);
  }
  if (parent.split != 0) { // the same tiles of every replica
    const popscope::ReplicaSplit &whole = parent.graph->ir.splits[parent.split - 1];
    popscope::ReplicaSplit part;
    for (const auto &all : whole.tiles) {
      part.tiles.emplace_back();
      for (const unsigned t : tiles)
        part.tiles.back().push_back(all[t]);
    }
    parent.graph->ir.splits.push_back(std::move(part));
    handle->split = static_cast<popscope::SplitIndex>(parent.graph->ir.splits.size());
  }
  return handle;
}

} // namespace

Graph::Graph(const Target &target, replication_factor r) : handle_(newGraph(target, r.val)) {}
Graph::Graph(const Device &device, replication_factor r) : Graph(device.getTarget(), r) {}
Graph::Graph() : Graph(Target::createCPUTarget()) {}
Graph::Graph(replication_factor r) : Graph(Target::createCPUTarget(false, r.val), r) {}
Graph::Graph(Graph &&) noexcept = default;
Graph &Graph::operator=(Graph &&) noexcept = default;
Graph::~Graph() = default;
Graph::Graph(std::unique_ptr<GraphHandle> handle) : handle_(std::move(handle)) {}

const Target &Graph::getTarget() const { return GraphAccess::handle(*this).target; }

Graph Graph::createVirtualGraph(unsigned numTilesPerIPU) {
  const unsigned perIpu = getTarget().getTilesPerIPU();
  if (numTilesPerIPU == 0 || numTilesPerIPU > perIpu)
    throw invalid_tile_mapping(fmt::format(
        "createVirtualGraph: {} tiles of each IPU are requested; give 1 to {}, the tiles of an IPU of this graph.",
        numTilesPerIPU, perIpu));
  std::vector<unsigned> tiles(numTilesPerIPU);
  std::iota(tiles.begin(), tiles.end(), 0u);
  return createVirtualGraph(tiles);
}

Graph Graph::createVirtualGraph(unsigned lowerTile, unsigned upperTile) {
  const GraphHandle &parent = GraphAccess::handle(*this);
  if (lowerTile >= upperTile || upperTile > parent.numTiles())
    throw invalid_tile_mapping(fmt::format("createVirtualGraph: [{},{}) is not a range of tiles of this graph, which "
                                           "has {}.",
                                           lowerTile, upperTile, parent.numTiles()));
  const unsigned perIpu = parent.target.getTilesPerIPU(), n = upperTile - lowerTile;
  std::vector<unsigned> tiles(n);
  std::iota(tiles.begin(), tiles.end(), lowerTile);
  if (lowerTile % perIpu == 0 && upperTile % perIpu == 0)
    return Graph(virtualGraph(parent, tiles, n / perIpu, perIpu));
  if (n > perIpu)
    throw invalid_tile_mapping(fmt::format("createVirtualGraph: [{},{}) is more than one IPU of {} tiles, but does not "
                                           "begin and end at the boundaries of IPUs.",
                                           lowerTile, upperTile, perIpu));
  return Graph(virtualGraph(parent, tiles, 1, n));
}

Graph Graph::createVirtualGraph(const std::vector<unsigned> &perIpuTiles) {
  const GraphHandle &parent = GraphAccess::handle(*this);
  const unsigned ipus = parent.target.getNumIPUs(), perIpu = parent.target.getTilesPerIPU();
  std::set<unsigned> seen;
  for (const unsigned t : perIpuTiles) {
    if (t >= perIpu)
      throw invalid_tile_mapping(
          fmt::format("createVirtualGraph: there is no tile {}; an IPU of this graph has {} tiles.", t, perIpu));
    if (!seen.insert(t).second)
      throw invalid_tile_mapping(fmt::format("createVirtualGraph: tile {} is listed twice.", t));
  }
  if (perIpuTiles.empty())
    throw invalid_tile_mapping("createVirtualGraph: the list of tiles is empty.");
  std::vector<unsigned> tiles;
  for (unsigned ipu = 0; ipu < ipus; ++ipu)
    for (const unsigned t : perIpuTiles)
      tiles.push_back(ipu * perIpu + t);
  return Graph(virtualGraph(parent, tiles, ipus, static_cast<unsigned>(perIpuTiles.size())));
}

Graph Graph::getTopLevelGraph() {
  const GraphHandle &self = GraphAccess::handle(*this);
  auto handle = std::make_unique<GraphHandle>();
  handle->graph = self.graph;
  handle->target = self.graph->target;
  return Graph(std::move(handle));
}

unsigned Graph::convertVirtualTileToPhysicalTile(unsigned virtualTileId) const {
  const GraphHandle &self = GraphAccess::handle(*this);
  if (virtualTileId >= self.numTiles())
    throw invalid_tile_mapping(fmt::format("convertVirtualTileToPhysicalTile: there is no tile {}; this graph has {} "
                                           "tiles (0 to {}).",
                                           virtualTileId, self.numTiles(), self.numTiles() - 1));
  return self.tiles.empty() ? virtualTileId : self.tiles[virtualTileId].index();
}

unsigned Graph::convertPhysicalTileToVirtualTile(unsigned physicalTileId) const {
  const GraphHandle &self = GraphAccess::handle(*this);
  const std::int64_t tile = self.virtualTile(TileId(physicalTileId));
  if (tile < 0 || physicalTileId >= self.graph->ir.machine.numTiles())
    throw invalid_tile_mapping(fmt::format("Tile {} of the device is not a tile of this graph.", physicalTileId));
  return static_cast<unsigned>(tile);
}

unsigned Graph::convertPhysicalTileToVirtualTile(unsigned ipuId, unsigned physicalTileId) const {
  const popscope::TileMachine &machine = GraphAccess::handle(*this).graph->ir.machine;
  if (ipuId >= machine.numIpus || physicalTileId >= machine.tilesPerIpu)
    throw invalid_tile_mapping(fmt::format("Tile {} of IPU {} does not exist: the device has {} IPUs of {} tiles.",
                                           physicalTileId, ipuId, machine.numIpus, machine.tilesPerIpu));
  return convertPhysicalTileToVirtualTile(ipuId * machine.tilesPerIpu + physicalTileId);
}

unsigned Graph::getReplicationFactor() const {
  const GraphHandle &self = GraphAccess::handle(*this);
  return self.graph->ir.replicationFactor * popscope::partsOf(self.graph->ir, self.split);
}

Tensor Graph::addReplicationIndexConstant(const DebugContext &dc) {
  const Tensor index = addConstant(UNSIGNED_INT, {}, 0u, dc);
  popscope::GraphIr &ir = GraphAccess::shared(*this)->ir;
  popscope::GraphVar &var = ir.vars[GraphAccess::data(index).view.runs.front().var];
  var.replicaIndex = var.replicas.empty();
  for (std::size_t k = 1; k < var.replicas.size(); ++k)
    for (std::size_t byte = 0; byte < sizeof(std::uint32_t); ++byte) // little-endian
      ir.vars[var.replicas[k]].initial[byte] = static_cast<std::uint8_t>(k >> (8 * byte));
  return index;
}

// Replica k takes the k-th equal part of this graph's tiles: whole IPUs, or parts of one IPU. The new graph shows the
// tiles of the first replica. A ReplicaSplit stores the tiles of all replicas, and ExpandReplicas uses this
// ReplicaSplit.
Graph Graph::createReplicatedGraph(unsigned replicationFactor) {
  const GraphHandle &self = GraphAccess::handle(*this);
  auto handle = std::make_unique<GraphHandle>(self);
  if (replicationFactor == 1)
    return Graph(std::move(handle));
  if (self.split != 0 || self.graph->ir.replicationFactor != 1)
    throw graph_replication_error(fmt::format("createReplicatedGraph({}): this graph already has {} replicas, which "
                                              "cannot be divided again. Give the product of both factors in one call.",
                                              replicationFactor, getReplicationFactor()));
  const unsigned ipus = self.target.getNumIPUs(), perIpu = self.target.getTilesPerIPU();
  const bool wholeIpus = replicationFactor != 0 && ipus % replicationFactor == 0;
  const bool partsOfIpus =
      replicationFactor != 0 && !wholeIpus && replicationFactor % ipus == 0 && perIpu % (replicationFactor / ipus) == 0;
  if (!wholeIpus && !partsOfIpus)
    throw graph_replication_error(
        fmt::format("createReplicatedGraph({}): {} IPU(s) of {} tiles cannot be divided into {} equal parts. Choose a "
                    "divisor of {}, or {} times a divisor of {}.",
                    replicationFactor, ipus, perIpu, replicationFactor, ipus, ipus, perIpu));
  const std::vector<TileId> tiles = self.allTiles();
  const std::size_t own = tiles.size() / replicationFactor;
  popscope::ReplicaSplit split;
  for (unsigned k = 0; k < replicationFactor; ++k)
    split.tiles.emplace_back(tiles.begin() + static_cast<std::ptrdiff_t>(k * own),
                             tiles.begin() + static_cast<std::ptrdiff_t>((k + 1) * own));
  handle->tiles = split.tiles.front();
  handle->inverse.clear();
  for (unsigned t = 0; t < own; ++t)
    handle->inverse.emplace(handle->tiles[t].index(), t);
  handle->target = wholeIpus ? self.target.createVirtualTarget(ipus / replicationFactor, perIpu)
                             : self.target.createVirtualTarget(1, static_cast<unsigned>(own));
  self.graph->ir.splits.push_back(std::move(split));
  handle->split = static_cast<popscope::SplitIndex>(self.graph->ir.splits.size());
  return Graph(std::move(handle));
}

Tensor Graph::getNonReplicatedTensor(const Tensor &t) const {
  const popscope::TensorData &data = GraphAccess::data(t);
  if (data.graph != GraphAccess::shared(*this))
    throw poplar_error("getNonReplicatedTensor: the tensor belongs to another graph.");
  return GraphAccess::derived(
      data, popscope::viewOfAllReplicas(data.graph->ir, data.view, popscope::replicasOf(data.graph->ir, data.view)));
}

std::string versionString() { return popscope::kVersionText; }
std::string packageHash() { return fmt::format("popscope-{}", popscope::kOwnVersion); }

} // namespace poplar
