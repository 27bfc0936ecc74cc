// Graph::connect: connects tensors and constants to the edges of vertices.
#include "base/Check.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/FieldView.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/ValueConversion.hpp"
#include "graph/codelets/MetadataField.hpp"
#include "graph/ir/Replicas.hpp"
#include "graph/ir/ViewOps.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <popscope/NewVertices.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>

using popscope::FieldDirection;
using popscope::FieldInfo;
using popscope::FieldShape;
using popscope::FieldView;
using popscope::GraphAccess;
using popscope::GraphShared;
using popscope::TensorData;

namespace poplar {

Graph::ConnectionDesc::ConnectionDesc(StringRef f, Tensor t)
    : field(f), tensor(std::move(t)), is2D(false), traits_(TypeTraits::make<int>()), value_(), isValue_(false) {}
Graph::ConnectionDesc::ConnectionDesc(StringRef f, ArrayRef<Tensor> ts)
    : field(f), tensors(ts.begin(), ts.end()), is2D(true), traits_(TypeTraits::make<int>()), value_(), isValue_(false) {
}
Graph::ConnectionDesc::ConnectionDesc(StringRef f, const TypeTraits &traits, const void *value)
    : field(f), is2D(false), traits_(traits), value_(), isValue_(true) {
  std::memcpy(value_.data(), value, std::min(traits.size, value_.size()));
}

namespace {

/// One field that is being connected.
struct FieldTarget {
  GraphShared &graph;
  popscope::VertexId vertex;
  std::uint16_t field;
  const FieldInfo *fieldInfo;
  [[nodiscard]] const FieldInfo &info() const { return *fieldInfo; }
  [[nodiscard]] std::string name() const { return popscope::describe(graph, vertex, field); }
};

FieldTarget targetOf(const Graph &graph, const FieldRef &ref) {
  GraphShared &shared = *GraphAccess::shared(graph);
  const popscope::VertexId vertex = GraphAccess::vertex(shared, ref);
  const std::uint16_t field = GraphAccess::field(ref);
  return {shared, vertex, field, &popscope::fieldInfo(shared, vertex, field)};
}

const char *directionName(FieldDirection d) {
  switch (d) {
  case FieldDirection::State: return "state";
  case FieldDirection::Input: return "input";
  case FieldDirection::Output: return "output";
  case FieldDirection::InOut: return "in-out";
  }
  return "";
}

/// Returns whether the types match. Fields of `long` and of `long long` have 64 bits, and both take LONG and LONGLONG.
bool fits(popscope::ElementType field, popscope::ElementType tensor) {
  using popscope::ElementType;
  const auto wide = [](ElementType t) {
    return t == ElementType::Long           ? ElementType::LongLong
           : t == ElementType::UnsignedLong ? ElementType::UnsignedLongLong
                                            : t;
  };
  return wide(field) == wide(tensor);
}

[[noreturn]] void refuse(const FieldTarget &to, const TensorData &t, const std::string &why) {
  throw graph_connection_error(fmt::format("{} cannot be connected to {}: {}", popscope::describe(t), to.name(), why));
}

void checkTensor(const FieldTarget &to, const TensorData &t) {
  const FieldInfo &info = to.info();
  if (t.graph.get() != &to.graph)
    refuse(to, t, "the tensor belongs to another graph.");
  if (info.direction == FieldDirection::State)
    refuse(to, t, "the field is state of the vertex, not an edge; setInitialValue gives it a value.");
  if (!fits(info.type, t.view.type))
    throw type_error(fmt::format("{} cannot be connected to {}: the field has type {}, the tensor {}.",
                                 popscope::describe(t), to.name(), popscope::elementTypeName(info.type),
                                 popscope::elementTypeName(t.view.type)));
  if (info.direction == FieldDirection::Input)
    return;
  for (const popscope::ViewRun &r : t.view.runs)
    if (to.graph.ir.vars[r.var].constant)
      refuse(to, t, fmt::format("the {} edge would write a constant.", directionName(info.direction)));
  if (popscope::containsAliases(t.view))
    refuse(to, t, fmt::format("the {} edge would write an element more than once.", directionName(info.direction)));
}

[[noreturn]] void refuseAgain(const FieldTarget &to, std::uint32_t subIndex) {
  throw graph_connection_error(
      fmt::format("{}{} is connected already.", to.name(),
                  to.info().shape == FieldShape::Scalar || to.info().shape == FieldShape::Vector
                      ? std::string()
                      : fmt::format(" element {}", subIndex)));
}

/// Refuses the edges [0, count) of the field if one of them is connected.
void checkUnconnected(const FieldTarget &to, std::size_t count) {
  const auto edges = to.graph.ir.vertices[to.vertex].edges(to.field); // sorted by sub-index
  if (!edges.empty() && (*edges.begin()).subIndex < count)
    refuseAgain(to, (*edges.begin()).subIndex);
}

void addEdge(const FieldTarget &to, std::uint32_t subIndex, const popscope::View &view) {
  if (!to.graph.ir.vertices.connect(to.vertex, to.field, subIndex, view))
    refuseAgain(to, subIndex);
}

/// Returns whether each view has exactly one run and both runs begin at the same element.
bool sameElement(const popscope::RunList &a, const popscope::RunList &b) {
  return a.size() == 1 && b.size() == 1 && a.front().var == b.front().var && a.front().begin == b.front().begin;
}

/// The edge of the metadata that all edges of a quarter field share. Other fields have no such edge. Every tensor of a
/// call is checked before the edge is added.
class MetadataEdge {
public:
  explicit MetadataEdge(const FieldTarget &to) : to_(to) {}

  void check(const Tensor &tensor) {
    if (to_.info().type != popscope::ElementType::Quarter || to_.info().direction == FieldDirection::State)
      return;
    if (!tensor.hasMetadata())
      throw graph_connection_error(fmt::format("{} cannot be connected to {}: the tensor has no metadata, and 8-bit "
                                               "floats have no value without metadata; call associateMetadata first.",
                                               popscope::describe(GraphAccess::data(tensor)), to_.name()));
    const popscope::View given = GraphAccess::data(tensor.getMetadata()).view;
    const auto edge = to_.graph.ir.vertices[to_.vertex].edge(target().field, 0);
    if (edge ? !sameElement(edge->runs, given) : view_ && !sameElement(*view_, given))
      throw graph_connection_error(
          to_.name() + ": its elements have different metadata; all edges of one field share one value of metadata.");
    if (!edge)
      view_ = given;
  }

  /// Connects the metadata of the checked tensors, unless an earlier call did.
  void add() const {
    if (view_)
      addEdge(target(), 0, *view_);
  }

private:
  [[nodiscard]] FieldTarget target() const {
    const auto &fields = to_.graph.ir.codelets.at(to_.graph.ir.vertices[to_.vertex].codelet).fields;
    const auto next = static_cast<std::uint16_t>(to_.field + 1);
    POPSCOPE_CHECK(fields.at(next).name == popscope::metadataFieldName(to_.info().name),
                   "{} is not followed by its metadata", to_.name());
    return {to_.graph, to_.vertex, next, &fields.at(next)};
  }
  const FieldTarget &to_;
  std::optional<popscope::View> view_; // no value = nothing is to be added
};

void checkEdgeShape(const FieldTarget &to, const TensorData &t, bool isScalarEdge) {
  if (isScalarEdge && t.view.elements() != 1)
    refuse(to, t, fmt::format("a scalar edge takes one element, the tensor has {}.", t.view.elements()));
  if (!isScalarEdge && t.view.shape.size() > 1)
    refuse(to, t,
           fmt::format(
               "a vector edge takes a tensor of rank 1, and this tensor has rank {}; call flatten() on the tensor.",
               t.view.shape.size()));
}

/// Checks whether the tensor can be one edge of a field that has several edges.
void checkElement(const FieldTarget &to, std::uint64_t index, const Tensor &tensor, MetadataEdge &metadata) {
  const TensorData &t = GraphAccess::data(tensor);
  checkTensor(to, t);
  const FieldShape shape = to.info().shape;
  if (shape == FieldShape::Scalar || shape == FieldShape::Vector)
    refuse(to, t, fmt::format("element {} is named, but the field is one edge.", index));
  checkEdgeShape(to, t, shape == FieldShape::VectorOfScalars);
  const FieldView f{&to.graph, to.vertex, to.field};
  f.checkDim(std::max(index, index + 1), 0, "connect");
  if (f.nested())
    f.checkDim(t.view.elements(), 1, "connect");
  const popscope::GraphVertex vertex = to.graph.ir.vertices[to.vertex];
  if (const auto size = vertex.fieldSize(to.field); size && index >= *size)
    throw index_error(
        fmt::format("{} has {} elements by setFieldSize; element {} does not exist.", to.name(), *size, index));
  const auto elements = vertex.elementSize(to.field, static_cast<std::uint32_t>(index));
  if (elements && *elements != t.view.elements())
    refuse(
        to, t,
        fmt::format("element {} has {} elements by setFieldSize, the tensor {}.", index, *elements, t.view.elements()));
  metadata.check(tensor);
}

void addElement(const FieldTarget &to, std::uint64_t index, const Tensor &tensor) {
  addEdge(to, static_cast<std::uint32_t>(index), GraphAccess::data(tensor).view);
}

void checkCount(const FieldTarget &to, std::size_t count) {
  if (const auto size = to.graph.ir.vertices[to.vertex].fieldSize(to.field); size && count != *size)
    throw graph_connection_error(
        fmt::format("{} has {} elements by setFieldSize; {} are connected.", to.name(), *size, count));
}

void connectWhole(const FieldTarget &to, const Tensor &tensor, MetadataEdge &metadata) {
  const TensorData &t = GraphAccess::data(tensor);
  checkTensor(to, t);
  const FieldShape shape = to.info().shape;
  if (shape == FieldShape::Scalar || shape == FieldShape::Vector) {
    checkEdgeShape(to, t, shape == FieldShape::Scalar);
    if (shape == FieldShape::Vector) {
      checkCount(to, t.view.elements());
      FieldView{&to.graph, to.vertex, to.field}.checkDim(t.view.elements(), 0, "connect");
    }
    metadata.check(tensor);
    addEdge(to, 0, t.view);
    return;
  }
  const std::size_t rank = shape == FieldShape::VectorOfScalars ? 1 : 2;
  if (t.view.shape.size() != rank)
    refuse(to, t,
           fmt::format("the field takes one edge for each element of dimension 0 of a tensor of rank {}, and this "
                       "tensor has rank {}; connect a list of tensors, or one element at a time, instead.",
                       rank, t.view.shape.size()));
  checkCount(to, t.view.shape[0]);
  const FieldView f{&to.graph, to.vertex, to.field};
  f.checkDim(t.view.shape[0], 0, "connect");
  if (f.nested())
    f.checkDim(t.view.shape[1], 1, "connect");
  metadata.check(tensor);
  checkUnconnected(to, t.view.shape[0]);
  for (std::size_t i = 0; i < t.view.shape[0]; ++i)
    addEdge(to, static_cast<std::uint32_t>(i), popscope::index(t.view, i));
}

} // namespace

void Graph::connect(FieldRef field, const Tensor &tensor) {
  const FieldTarget to = targetOf(*this, field);
  MetadataEdge metadata(to);
  if (field.isIndexed()) {
    checkElement(to, field.getIndex(), tensor, metadata);
    addElement(to, field.getIndex(), tensor);
  } else {
    connectWhole(to, tensor, metadata);
    if (to.info().shape != FieldShape::Scalar && to.info().shape != FieldShape::Vector && tensor.dim(0) == 0)
      connectNoEdges(field);
  }
  metadata.add();
}

void Graph::connect(FieldRef field, ArrayRef<Tensor> tensors) {
  const FieldTarget to = targetOf(*this, field);
  const FieldShape shape = to.info().shape;
  if (field.isIndexed() || shape == FieldShape::Scalar || shape == FieldShape::Vector)
    throw graph_connection_error(fmt::format(
        "A list of {} tensors cannot be connected to {}{}: the field is one edge. Join the tensors with concat.",
        tensors.size(), to.name(), field.isIndexed() ? fmt::format(" element {}", field.getIndex()) : ""));
  checkCount(to, tensors.size());
  MetadataEdge metadata(to);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    checkElement(to, i, tensors[i], metadata);
  checkUnconnected(to, tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    addElement(to, i, tensors[i]);
  metadata.add();
  if (tensors.empty())
    connectNoEdges(field);
}

// Marks the field as having no edges, which differs from a field that is not connected.
void Graph::connectNoEdges(const FieldRef &field) { setFieldSize(field, 0); }

void Graph::connectValue(const FieldRef &field, const TypeTraits &traits, const void *value) {
  const FieldTarget to = targetOf(*this, field);
  if (to.info().direction == FieldDirection::State) {
    setFieldValues(field, traits, value, 1, false);
    return;
  }
  popscope::GraphVar var;
  var.name = to.graph.ir.names.intern("<const>");
  var.type = to.info().type;
  var.elements = 1;
  var.constant = true;
  var.initial = popscope::toDeviceExactly(to.info().type, traits, value, 1, to.name());
  const popscope::TileId tile = to.graph.ir.vertices[to.vertex].tile;
  if (tile.valid())
    var.mapping = {{0, 1, tile}};
  popscope::NewVertices added(*this); // a failed call changes nothing
  const popscope::GraphVarId id =
      popscope::addVariable(to.graph.ir, std::move(var), to.graph.ir.vertices[to.vertex].split());
  connect(field, GraphAccess::tensor(GraphAccess::shared(*this), popscope::wholeVariable(id, to.info().type, {})));
  to.graph.vertexConstants[to.vertex.index()].push_back(id); // mapping the vertex also maps the constant
  added.keep();
}

} // namespace poplar
