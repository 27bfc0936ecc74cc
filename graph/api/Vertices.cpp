// Graph: codelets, compute sets, vertices and limits of their fields.
#include "base/ElementKind.hpp"
#include "base/ShownText.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/FieldView.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/ValueConversion.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <popscope/NewVertices.hpp>

#include <cmath>
#include <fmt/format.h>
#include <limits>

using popscope::ElementKind;
using popscope::ElementType;
using popscope::GraphAccess;
using popscope::GraphShared;
using popscope::VertexClass;

namespace popscope {

NewVertices::NewVertices(poplar::Graph &graph)
    : graph_(graph), vertices_(graph.numVertices()), variables_(GraphAccess::shared(graph)->ir.vars.size()) {}

NewVertices::~NewVertices() {
  if (kept_)
    return;
  GraphShared &graph = *GraphAccess::shared(graph_);
  while (graph.ir.vertices.size() > vertices_) {
    const VertexId last = graph.ir.vertices.idAt(graph.ir.vertices.size() - 1);
    graph.ir.computeSets[graph.ir.vertices[last].computeSet].vertices.removeLast();
    graph.vertexConstants.erase(last.index());
    graph.ir.vertices.removeLast();
  }
  graph.ir.vars.resize(variables_); // values of edges are variables
  MappedLater &later = graph.mappedLater;
  std::erase_if(later.calls, [this](const auto &calls) { return calls.first >= variables_; });
  later.any.store(!later.calls.empty(), std::memory_order_release);
}

} // namespace popscope

namespace poplar {

FieldRef::FieldRef() : graphNumber_(popscope::GraphId().index()), vertex_(0), field_(0), indexed_(false), index_(0) {}

FieldRef FieldRef::operator[](std::size_t index) const {
  if (indexed_)
    throw index_error(
        fmt::format("Element {} of a field is indexed with {}: fields have one level of elements.", index_, index));
  FieldRef element = *this;
  element.index_ = index;
  element.indexed_ = true;
  return element;
}

VertexRef::VertexRef()
    : graph_(nullptr), graphNumber_(popscope::GraphId().index()), id_(std::numeric_limits<unsigned>::max()) {}

FieldRef VertexRef::operator[](StringRef fieldName) const {
  if (!graph_)
    throw poplar_error("A default-constructed VertexRef is used: create vertices with Graph::addVertex.");
  const VertexClass &type = graph_->ir.codelets.at(graph_->ir.vertices[popscope::VertexId(id_)].codelet);
  const int field = popscope::findField(type, {fieldName.data(), fieldName.size()});
  if (field < 0)
    popscope::throwUnknownField(type, fieldName);
  FieldRef ref;
  ref.graphNumber_ = graphNumber_;
  ref.vertex_ = id_;
  ref.field_ = static_cast<unsigned>(field);
  return ref;
}

ComputeSet Graph::addComputeSet(const DebugContext &dc) {
  GraphShared &graph = *GraphAccess::shared(*this);
  return GraphAccess::computeSet(
      graph.ir.id, graph.ir.computeSets.push({graph.ir.names.intern(dc.getPathName()), {}, dc.getParentId()}));
}

namespace {

/// Returns " The graph has A<float>, A<int> and 3 more.", or "" for no instances.
std::string instancesText(std::vector<std::string> instances) {
  constexpr std::size_t kMaxShown = 8;
  if (instances.empty())
    return "";
  const std::size_t more = instances.size() - std::min(instances.size(), kMaxShown);
  instances.resize(instances.size() - more);
  return fmt::format(" The graph has {}{}.", fmt::join(instances, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

/// Returns why a vertex type may be missing: files that were skipped, or no files at all. Returns "" if neither is the
/// case.
std::string missingFilesText(const popscope::CodeletSet &codelets) {
  if (const std::vector<std::string> &skipped = codelets.skipped(); !skipped.empty())
    return fmt::format(
        " addCodelets skipped \"{}\"{}, because assembly and IR cannot run here: write the vertex in C++.",
        popscope::shownText(skipped.front()),
        skipped.size() == 1 ? "" : fmt::format(" and {} more", skipped.size() - 1));
  return codelets.size() == 0 ? " The graph has no vertex classes: addCodelets adds some." : "";
}

/// Throws unknown_vertex_type with the nearest known name, or with the instances of the class template.
[[noreturn]] void throwUnknownType(const GraphShared &graph, const std::string &name) {
  const std::string near = graph.ir.codelets.nearest(name);
  throw unknown_vertex_type(
      fmt::format("Unknown vertex type \"{}\".{}{}", name,
                  near.empty() ? instancesText(graph.ir.codelets.instances(name)) : " Did you mean \"" + near + "\"?",
                  missingFilesText(graph.ir.codelets)) +
      " A class is a vertex class if it derives from Vertex, MultiVertex or SupervisorVertex and has a public "
      "compute().");
}

const popscope::FieldInfo &fieldOf(GraphShared &graph, const std::string &vertexName, const std::string &fieldName) {
  const VertexClass *const type = popscope::findVertexClass(graph, vertexName);
  if (type == nullptr)
    throwUnknownType(graph, vertexName);
  const int field = popscope::findField(*type, fieldName);
  if (field < 0)
    popscope::throwUnknownField(*type, fieldName);
  return type->fields[static_cast<std::size_t>(field)];
}

/// Returns the device bytes of the largest finite value.
std::vector<std::uint8_t> largestBytes(ElementType type) {
  std::vector<std::uint8_t> bytes(popscope::elementBytes(type), 0xff); // little-endian
  if (type == ElementType::Bool)
    return {1};
  if (elementKind(type) == ElementKind::Float)
    return type == ElementType::Half ? std::vector<std::uint8_t>{0xff, 0x7b}
                                     : std::vector<std::uint8_t>{0xff, 0xff, 0x7f, 0x7f};
  if (elementKind(type) == ElementKind::Signed || elementKind(type) == ElementKind::Quarter)
    bytes.back() = 0x7f;
  return bytes;
}

double largestValue(ElementType type) {
  const int bits = 8 * static_cast<int>(popscope::elementBytes(type));
  switch (elementKind(type)) {
  case ElementKind::Bool: return 1;
  case ElementKind::Signed: return std::ldexp(1.0, bits - 1) - 1;
  case ElementKind::Unsigned: return std::ldexp(1.0, bits) - 1;
  case ElementKind::Float:
    return type == ElementType::Half ? 65504 : static_cast<double>(std::numeric_limits<float>::max());
  case ElementKind::Quarter: return 240; // format F143 without scale
  case ElementKind::Invalid: break;
  }
  return 0;
}

/// Throws poplar_error unless the graph has the compute set.
void checkComputeSet(const GraphShared &graph, const ComputeSet &cs, StringRef vertexType) {
  const popscope::GraphId of = GraphAccess::graphOf(cs);
  const bool isForeign = of.valid() && of != graph.ir.id;
  if (!isForeign && cs.getId() < graph.ir.computeSets.size())
    return;
  const std::string what = fmt::format("addVertex(\"{}\"): ", vertexType.cloneAsString());
  if (isForeign)
    throw poplar_error(what + "the compute set belongs to another graph.");
  if (cs == ComputeSet())
    throw poplar_error(what +
                       "a default-constructed ComputeSet is used; create compute sets with Graph::addComputeSet.");
  throw poplar_error(
      fmt::format("{}there is no compute set {}; this graph has {}.", what, cs.getId(), graph.ir.computeSets.size()));
}

} // namespace

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType) {
  GraphShared &graph = *GraphAccess::shared(*this);
  checkComputeSet(graph, cs, vertexType);
  GraphShared::LastType &last = graph.lastType;
  if (last.codelet < 0 || last.ofCodelets != graph.ir.codelets.size() || vertexType != last.name) {
    const int codelet = popscope::vertexClassIndex(graph, vertexType);
    if (codelet < 0)
      throwUnknownType(graph, vertexType);
    last = {vertexType, codelet, graph.ir.codelets.size()};
  }
  const popscope::TileId tile =
      popscope::isOneHostTile(graph.ir.machine) ? popscope::TileId(0) : popscope::TileId(); // the only tile
  const popscope::VertexId id =
      graph.ir.vertices.add(last.codelet, popscope::ComputeSetId(cs.getId()), tile, GraphAccess::handle(*this).split);
  graph.ir.computeSets[popscope::ComputeSetId(cs.getId())].vertices.push_back(id);
  return GraphAccess::vertexRef(&graph, id);
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType, ArrayRef<ConnectionDesc> connections) {
  popscope::NewVertices added(*this); // a failed call changes nothing
  const VertexRef v = addVertex(cs, vertexType);
  for (const ConnectionDesc &c : connections) {
    if (c.isValue_)
      connectValue(v[c.field], c.traits_, c.value_.data());
    else if (c.is2D)
      connect(v[c.field], ArrayRef<Tensor>(c.tensors));
    else
      connect(v[c.field], c.tensor);
  }
  added.keep();
  return v;
}

VertexRef Graph::addExternalExchangeVertex(ComputeSet, StringRef vertexType, unsigned, unsigned) {
  throw poplar_error(fmt::format("addExternalExchangeVertex(\"{}\"): such a vertex drives the links between IPUs, "
                                 "which an IPU Model does not simulate. Use program::Copy to move data between IPUs.",
                                 vertexType.cloneAsString()));
}

std::size_t Graph::numVertices() const { return GraphAccess::shared(*this)->ir.vertices.size(); }
std::size_t Graph::numComputeSets() const { return GraphAccess::shared(*this)->ir.computeSets.size(); }

std::size_t Graph::getMaxFieldDim(StringRef vertexName, StringRef fieldName, unsigned dimIndex) const {
  GraphShared &graph = *GraphAccess::shared(*this);
  const popscope::FieldInfo &field = fieldOf(graph, vertexName, fieldName);
  const bool isNested =
      field.shape == popscope::FieldShape::VectorOfVectors || field.shape == popscope::FieldShape::VectorList;
  const unsigned dims = field.shape == popscope::FieldShape::Scalar ? 0 : isNested ? 2 : 1;
  if (dimIndex >= dims)
    throw index_error(
        fmt::format("getMaxFieldDim: field {} of {} has {} dimensions, numbered from 0; dimension {} is requested.",
                    field.name, vertexName.cloneAsString(), dims, dimIndex));
  return popscope::maxDimOf(graph, field, dimIndex);
}

double Graph::getMaxVertexFieldValue(StringRef vertexName, StringRef fieldName) const {
  return largestValue(fieldOf(*GraphAccess::shared(*this), vertexName, fieldName).type);
}

void Graph::maxFieldValue(StringRef vertexName, StringRef fieldName, const TypeTraits &traits, void *value) const {
  const ElementType type = fieldOf(*GraphAccess::shared(*this), vertexName, fieldName).type;
  const double largest = largestValue(type);
  const auto valueBits = static_cast<int>(8 * traits.size) - (traits.isSigned ? 1 : 0);
  if (traits.isIntegral && largest > std::ldexp(1.0, valueBits))
    throw overflow_error(fmt::format("getMaxVertexFieldValueAs: the largest value of field {} of {}, {}, does not fit "
                                     "an integer of {} bits",
                                     fieldName.cloneAsString(), vertexName.cloneAsString(), largest, 8 * traits.size));
  const QuarterMetadata unscaled; // format F143 without scale
  popscope::fromDevice(type, largestBytes(type), traits, value, 1, &unscaled);
}

bool Graph::hasCodelet(StringRef codeletName) const {
  return popscope::findVertexClass(*GraphAccess::shared(*this), codeletName) != nullptr;
}

} // namespace poplar
