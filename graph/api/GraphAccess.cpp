#include "graph/api/GraphAccess.hpp"

#include "graph/api/FieldView.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/MapElements.hpp"
#include "graph/ir/CheckReferences.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

namespace popscope {

const std::shared_ptr<GraphShared> &GraphAccess::shared(const poplar::Graph &graph) { return handle(graph).graph; }

const GraphHandle &GraphAccess::handle(const poplar::Graph &graph) {
  if (!graph.handle_)
    throw poplar::poplar_error("This graph was moved from: use the graph that it was moved to.");
  return *graph.handle_;
}

poplar::Tensor GraphAccess::tensor(std::shared_ptr<GraphShared> graph, View view) {
  return tensor(std::make_shared<const TensorData>(std::move(view), std::move(graph)));
}
poplar::Tensor GraphAccess::tensor(std::shared_ptr<const TensorData> data) { return poplar::Tensor(std::move(data)); }

poplar::Tensor GraphAccess::derived(const TensorData &t, View view) {
  return tensor(std::make_shared<const TensorData>(std::move(view), t.graph, t.metadata, t.outside));
}

const TensorData &GraphAccess::data(const poplar::Tensor &tensor) {
  const TensorData &data = shapeOf(tensor);
  if (data.outside)
    throw poplar::index_error(*data.outside);
  return data;
}

const TensorData &GraphAccess::shapeOf(const poplar::Tensor &tensor) {
  if (!tensor.data_)
    throw poplar::poplar_error("An invalid tensor is used: it was default-constructed or moved from and nothing was "
                               "assigned to it.");
  return *tensor.data_;
}

poplar::DataStream GraphAccess::stream(std::shared_ptr<const StreamData> data) {
  poplar::DataStream s;
  s.data_ = std::move(data);
  return s;
}
poplar::RemoteBuffer GraphAccess::buffer(std::shared_ptr<const StreamData> data) {
  poplar::RemoteBuffer b;
  b.data_ = std::move(data);
  return b;
}
const StreamData &GraphAccess::data(const poplar::DataStream &stream) {
  if (!stream.data_)
    throw poplar::poplar_error("A default-constructed DataStream is used: create streams with "
                               "Graph::addHostToDeviceFIFO or addDeviceToHostFIFO.");
  return *stream.data_;
}
const StreamData &GraphAccess::data(const poplar::RemoteBuffer &buffer) {
  if (!buffer.data_)
    throw poplar::poplar_error(
        "A default-constructed RemoteBuffer is used: create buffers with Graph::addRemoteBuffer.");
  return *buffer.data_;
}

poplar::VertexRef GraphAccess::vertexRef(const GraphShared *graph, VertexId vertex) {
  poplar::VertexRef ref;
  ref.graph_ = graph;
  ref.graphNumber_ = graph->ir.id.index();
  ref.id_ = vertex.index();
  return ref;
}

namespace {
VertexId checked(const GraphShared &graph, GraphId of, unsigned id) {
  if (of != graph.ir.id)
    throw poplar::poplar_error(
        of.valid()
            ? fmt::format("Vertex {} belongs to another graph.", id)
            : std::string(
                  "A default-constructed VertexRef or FieldRef is used: create vertices with Graph::addVertex."));
  return VertexId(id);
}
} // namespace

VertexId GraphAccess::vertex(const GraphShared &graph, const poplar::VertexRef &ref) {
  return checked(graph, GraphId(ref.graphNumber_), ref.id_);
}
VertexId GraphAccess::vertex(const GraphShared &graph, const poplar::FieldRef &ref) {
  return checked(graph, GraphId(ref.graphNumber_), ref.vertex_);
}

poplar::VertexIntrospector GraphAccess::introspector(const GraphShared *graph, VertexId vertex) {
  return poplar::VertexIntrospector(graph, vertex.index());
}
poplar::FieldData GraphAccess::fieldData(std::unique_ptr<FieldView> view) { return poplar::FieldData(std::move(view)); }

namespace {
GraphIr &settledIr(const poplar::Graph &graph) {
  GraphShared &shared = *GraphAccess::shared(graph);
  settleMappings(shared);
  return shared.ir;
}
} // namespace

const GraphIr &irOf(const poplar::Graph &graph) { return settledIr(graph); }

ProgramPtr nodeOf(const poplar::program::Program &program) {
  static const ProgramPtr nothing = std::make_shared<const ProgramNode>();
  return GraphAccess::node(program) ? GraphAccess::node(program) : nothing;
}

std::vector<ProgramPtr> nodesOf(poplar::ArrayRef<poplar::program::Program> programs, const GraphIr &graph) {
  std::vector<ProgramPtr> nodes;
  for (const poplar::program::Program &program : programs)
    nodes.push_back(nodeOf(program));
  checkReferences(nodes, graph);
  return nodes;
}

const View &viewOf(const poplar::Tensor &tensor) { return GraphAccess::data(tensor).view; }

void GraphHandle::throwNoTile(unsigned tile, const std::string &what) const {
  throw poplar::invalid_tile_mapping(fmt::format("{} is mapped to tile {}, but this graph has {} tiles (0 to {}).",
                                                 what, tile, numTiles(), numTiles() - 1));
}

std::vector<TileId> GraphHandle::allTiles() const {
  if (!tiles.empty())
    return tiles;
  std::vector<TileId> all;
  for (unsigned t = 0; t < numTiles(); ++t)
    all.emplace_back(t);
  return all;
}

} // namespace popscope
