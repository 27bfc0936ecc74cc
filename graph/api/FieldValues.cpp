// Graph: initial values and sizes of fields.
#include "base/CheckedSize.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/FieldView.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/ValueConversion.hpp"
#include "graph/ir/Replicas.hpp"
#include "graph/ir/ViewOps.hpp"

#include "base/PublicTypes.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

using popscope::FieldDirection;
using popscope::FieldInfo;
using popscope::FieldShape;
using popscope::FieldView;
using popscope::GraphAccess;
using popscope::GraphShared;

namespace poplar {

namespace {

void setWhole(GraphShared &graph, const FieldView &f, std::vector<std::uint8_t> bytes, std::size_t count) {
  const FieldInfo &info = f.info();
  const bool isVector = info.shape == FieldShape::Vector;
  if (!isVector && info.shape != FieldShape::Scalar)
    throw poplar_error(fmt::format("{} is a nested vector of edges: it takes initial values for one element, "
                                   "vertex[\"field\"][i], and only where it is an input.",
                                   f.name()));
  if (!isVector && count != 1)
    throw poplar_error(fmt::format("{} is a scalar; {} initial values are given.", f.name(), count));
  const std::optional<std::uint64_t> size = f.size();
  if (isVector && size && !f.state() && *size != count && count == 1) {
    const std::vector<std::uint8_t> one = bytes; // one value for all elements of a sized vector
    for (std::uint64_t i = 1; i < *size; ++i)
      bytes.insert(bytes.end(), one.begin(), one.end());
    count = *size;
  } else if (isVector && size && !f.state() && *size != count) {
    throw poplar_error(
        fmt::format("{} has {} elements by setFieldSize; {} initial values are given.", f.name(), *size, count));
  }
  std::copy(bytes.begin(), bytes.end(), graph.ir.vertices.writeState(f.vertex, f.field, count, bytes.size()).begin());
}

void setElement(GraphShared &graph, const FieldView &f, std::size_t index, const std::vector<std::uint8_t> &bytes) {
  const FieldInfo &info = f.info();
  if (info.shape != FieldShape::Vector)
    throw poplar_error(fmt::format("{} has no elements that take initial values.", f.name()));
  const std::uint64_t size = f.size().value_or(0);
  if (index >= size)
    throw index_error(fmt::format("{} has {} elements; element {} is given an initial value. setFieldSize sets the "
                                  "size.",
                                  f.name(), size, index));
  const std::size_t bytesPerElement = popscope::elementBytes(info.type);
  const auto all = graph.ir.vertices.writeState(f.vertex, f.field, size, size * bytesPerElement);
  std::memcpy(all.data() + index * bytesPerElement, bytes.data(), bytesPerElement);
}

/// Maps the constants to the vertex's tile, either now or when the vertex is mapped.
void placeWithVertex(GraphShared &graph, popscope::VertexId vertex, const Tensor &constants) {
  const popscope::TileId tile = graph.ir.vertices[vertex].tile;
  for (const popscope::ViewRun &run : popscope::viewOf(constants).runs) {
    graph.vertexConstants[vertex.index()].push_back(run.var);
    if (tile.valid())
      graph.ir.vars[run.var].mapping = {{0, graph.ir.vars[run.var].elements, tile}};
    popscope::copyMappingToReplicas(graph.ir, run.var);
  }
}

[[noreturn]] void refuseEdge(const FieldView &f) {
  throw poplar_error(
      fmt::format("{} is an edge that the vertex writes: it takes no initial value. setInitialValue of the "
                  "tensor that is connected sets its contents.",
                  f.name()));
}

} // namespace

void Graph::setFieldValues(const FieldRef &field, const TypeTraits &traits, const void *values, std::size_t count,
                           bool isArray) {
  GraphShared &graph = *GraphAccess::shared(*this);
  const FieldView f{&graph, GraphAccess::vertex(graph, field), GraphAccess::field(field)};
  const FieldInfo &info = f.info();
  if (info.direction == FieldDirection::Output || info.direction == FieldDirection::InOut)
    refuseEdge(f);
  if (info.direction == FieldDirection::Input) {
    if (!isArray && info.shape != FieldShape::Vector) {
      connectValue(field, traits, values);
      return;
    }
    (void)popscope::toDeviceExactly(info.type, traits, values, count, f.name());
    const Tensor constants = addConstant(popscope::makeType(info.type), {count}, values, traits, false);
    placeWithVertex(graph, f.vertex, constants);
    connect(field, constants);
    return;
  }
  if (info.shape == FieldShape::Vector && isArray)
    f.checkDim(count, 0, "setInitialValue");
  std::vector<std::uint8_t> bytes = popscope::toDeviceExactly(info.type, traits, values, count, f.name());
  if (!field.isIndexed())
    setWhole(graph, f, std::move(bytes), count);
  else if (count == 1)
    setElement(graph, f, field.getIndex(), bytes);
  else
    throw poplar_error(
        fmt::format("{} initial values are given for one element of {}; give one value.", count, f.name()));
}

namespace {
/// Returns the traits for bit patterns of halves. The conversion copies such bit patterns.
TypeTraits halfTraits() { return TypeTraits::make<Half>(); }
void requireHalf(const FieldView &f) {
  if (f.info().type != popscope::ElementType::Half)
    throw type_error(fmt::format("Bit patterns of half values are given for {}, which has type {}.", f.name(),
                                 popscope::elementTypeName(f.info().type)));
}
} // namespace

void Graph::setInitialValueHalf(FieldRef field, std::uint16_t val) {
  const GraphShared &graph = *GraphAccess::shared(*this);
  requireHalf({&graph, GraphAccess::vertex(graph, field), GraphAccess::field(field)});
  setFieldValues(field, halfTraits(), &val, 1, false);
}

void Graph::setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> val) {
  const GraphShared &graph = *GraphAccess::shared(*this);
  requireHalf({&graph, GraphAccess::vertex(graph, field), GraphAccess::field(field)});
  setFieldValues(field, halfTraits(), val.data(), val.size(), true);
}

namespace {

/// Sets the length of an element of a nested field, also before the element exists.
void setElementSize(GraphShared &graph, const FieldView &f, std::uint32_t index, std::size_t size) {
  const std::string name = f.name();
  if (!f.nested())
    throw poplar_error(fmt::format("setFieldSize of element {}: the elements of {} are no vectors.", index, name));
  if (const auto count = graph.ir.vertices[f.vertex].fieldSize(f.field); count && index >= *count)
    throw index_error(
        fmt::format("{} has {} elements by setFieldSize; element {} does not exist.", name, *count, index));
  f.checkDim(size, 1, "setFieldSize");
  const auto edge = f.edgeAt(index);
  if (edge && edge->elements() != size)
    throw graph_connection_error(fmt::format("setFieldSize: element {} of {} is connected with {} elements already; {} "
                                             "is another size.",
                                             index, name, edge->elements(), size));
  graph.ir.vertices.setElementSize(f.vertex, f.field, index, size);
}

} // namespace

void Graph::setFieldSize(FieldRef field, std::size_t size) {
  GraphShared &graph = *GraphAccess::shared(*this);
  const FieldView f{&graph, GraphAccess::vertex(graph, field), GraphAccess::field(field)};
  if (field.isIndexed()) {
    f.checkDim(std::max(field.getIndex(), field.getIndex() + 1), 0,
               "setFieldSize"); // an index that is too large would otherwise name another element
    setElementSize(graph, f, static_cast<std::uint32_t>(field.getIndex()), size);
    return;
  }
  if (f.info().shape == FieldShape::Scalar)
    throw poplar_error(fmt::format("setFieldSize: {} is a scalar.", f.name()));
  f.checkDim(size, 0, "setFieldSize");
  const auto bytes = popscope::checkedProduct(size, popscope::elementBytes(f.info().type));
  if (f.info().shape == FieldShape::Vector && (!bytes || *bytes > popscope::kMaxContentBytes))
    throw graph_connection_error(
        fmt::format("setFieldSize: {} elements of {} are more than {} bytes, which no tile has.", size, f.name(),
                    popscope::kMaxContentBytes));
  if (!f.edges().empty() && f.size().value_or(0) > size)
    throw graph_connection_error(
        fmt::format("setFieldSize: {} is connected with {} elements already; {} is less.", f.name(), *f.size(), size));
  graph.ir.vertices.setFieldSize(f.vertex, f.field, size);
}

std::size_t Graph::getFieldSize(FieldRef field) const {
  const GraphShared &graph = *GraphAccess::shared(*this);
  const FieldView f{&graph, GraphAccess::vertex(graph, field), GraphAccess::field(field)};
  std::optional<std::uint64_t> size;
  if (!field.isIndexed()) {
    size = f.size();
  } else if (const auto edge = f.edgeAt(static_cast<std::uint32_t>(field.getIndex()))) {
    size = edge->elements();
  } else {
    size = graph.ir.vertices[f.vertex].elementSize(f.field, static_cast<std::uint32_t>(field.getIndex()));
  }
  if (!size)
    throw no_size_specified(fmt::format("{} has no size yet: connect it or use setFieldSize.", f.name()));
  return *size;
}

} // namespace poplar
