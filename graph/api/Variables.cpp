// Graph: variables and constants.
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/TensorChecks.hpp"
#include "graph/api/ValueConversion.hpp"
#include "graph/ir/MappingOps.hpp"
#include "graph/ir/Replicas.hpp"
#include "graph/ir/ViewOps.hpp"

#include "base/PublicTypes.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <popscope/ExactConstant.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>

using popscope::ElementType;
using popscope::GraphAccess;
using popscope::GraphVar;
using popscope::GraphVarId;

namespace poplar {

namespace {

/// Returns a variable without contents. Maps the variable if the graph has one tile, because only that tile can hold
/// the variable.
GraphVar newVariable(const popscope::GraphHandle &handle, const Type &type, const std::vector<std::size_t> &shape,
                     const DebugContext &dc) {
  const ElementType element = popscope::elementType(type);
  if (element == ElementType::Invalid)
    throw tensor_creation_error(fmt::format("The tensor \"{}\" of shape {} has no element type: a default-constructed "
                                            "Type was given.",
                                            dc.getPathName(), popscope::shapeText(shape)));
  GraphVar var;
  var.name = handle.graph->ir.names.intern(dc.getPathName());
  var.type = element;
  var.elements = popscope::elementsOf(shape, fmt::format("The tensor \"{}\"", dc.getPathName()));
  if (handle.numTiles() == 1 && var.elements != 0)
    var.mapping = {{0, var.elements, handle.allTiles().front()}};
  return var;
}

std::vector<std::uint8_t> repeatBytes(const std::vector<std::uint8_t> &one, std::uint64_t count) {
  std::vector<std::uint8_t> all;
  all.reserve(one.size() * count);
  for (std::uint64_t i = 0; i < count; ++i)
    all.insert(all.end(), one.begin(), one.end());
  return all;
}

/// Returns the number of elements of a constant, whose contents the host holds.
std::uint64_t constantElements(ElementType type, const std::vector<std::size_t> &shape, const DebugContext &dc) {
  const std::string what = fmt::format("Constant \"{}\"", dc.getPathName());
  const std::uint64_t elements = popscope::elementsOf(shape, what);
  popscope::checkContentBytes(elements, type, what);
  return elements;
}

/// Adds a constant with the bytes that convert(number of values, name of the constant) returns.
template <class Convert>
Tensor addConvertedConstant(const Graph &graph, const Type &type, ArrayRef<std::size_t> shape, const void *values,
                            bool broadcast, const DebugContext &dc, const Convert &convert) {
  const std::vector<std::size_t> dims = shape.cloneAsVector();
  const std::string what = fmt::format("Constant \"{}\" of shape {}", dc.getPathName(), popscope::shapeText(dims));
  const std::uint64_t elements = constantElements(popscope::elementType(type), dims, dc);
  if (elements > 0 && values == nullptr)
    throw tensor_creation_error(what + ": its values are a null pointer.");
  std::vector<std::uint8_t> bytes = convert(broadcast ? 1 : elements, what);
  return popscope::addConstantBytes(graph, type, dims, broadcast ? repeatBytes(bytes, elements) : std::move(bytes), dc);
}

std::vector<std::uint8_t> halfBytes(const Type &type, const std::uint16_t *values, std::uint64_t count) {
  if (type != HALF)
    throw type_error(fmt::format("Bit patterns of half values are given for elements of {}.",
                                 popscope::elementTypeName(popscope::elementType(type))));
  std::vector<std::uint8_t> bytes(count * sizeof(std::uint16_t));
  if (!bytes.empty())
    std::memcpy(bytes.data(), values, bytes.size());
  return bytes;
}

} // namespace

Tensor Graph::addVariable(const Type &type, ArrayRef<std::size_t> shape, const DebugContext &dc) {
  return addVariable(type, shape, VariableMappingMethod::NONE, dc);
}

// A variable of 8-bit floats has metadata of its own, which the program sets by a copy to getMetadata().
Tensor Graph::addVariable(const Type &type, ArrayRef<std::size_t> shape, VariableMappingMethod mappingMethod,
                          const DebugContext &dc) {
  const Tensor tensor = popscope::addPlainVariable(*this, type, shape.cloneAsVector(), mappingMethod, dc);
  if (type != QUARTER)
    return tensor;
  const Tensor metadata = popscope::addPlainVariable(*this, QUARTER_METADATA, {}, VariableMappingMethod::NONE,
                                                     DebugContext(dc, "metadata"));
  setTileMapping(metadata, 0);
  return tensor.associateMetadata(metadata);
}

void Graph::checkConstantSize(ArrayRef<std::size_t> shape, std::size_t numValues) {
  const std::vector<std::size_t> dims = shape.cloneAsVector();
  const std::uint64_t elements = popscope::elementsOf(dims, "A constant");
  if (elements != numValues)
    throw tensor_creation_error(fmt::format("A constant of shape {} needs {} values, {} are given.",
                                            popscope::shapeText(dims), elements, numValues));
}

Tensor Graph::addConstant(const Type &type, ArrayRef<std::size_t> shape, const void *val, const TypeTraits &traits,
                          bool broadcast, const DebugContext &dc) {
  return addConvertedConstant(*this, type, shape, val, broadcast, dc, [&](std::size_t count, const std::string &what) {
    return popscope::toDevice(popscope::elementType(type), traits, val, count, what);
  });
}

Tensor Graph::addConstantHalf(const Type &type, ArrayRef<std::size_t> shape, std::uint16_t val,
                              const DebugContext &dc) {
  const std::vector<std::size_t> dims = shape.cloneAsVector();
  return popscope::addConstantBytes(
      *this, type, dims, repeatBytes(halfBytes(type, &val, 1), constantElements(popscope::elementType(type), dims, dc)),
      dc);
}

Tensor Graph::addConstantHalf(const Type &type, ArrayRef<std::size_t> shape, const std::uint16_t *val,
                              const DebugContext &dc) {
  const std::vector<std::size_t> dims = shape.cloneAsVector();
  const std::uint64_t elements = constantElements(popscope::elementType(type), dims, dc);
  if (elements > 0 && val == nullptr)
    throw tensor_creation_error(fmt::format("Constant \"{}\": its values are a null pointer.", dc.getPathName()));
  return popscope::addConstantBytes(*this, type, dims, halfBytes(type, val, elements), dc);
}

namespace {

/// Throws if a view names an element more than once and the values for this element differ.
void checkAliases(const popscope::TensorData &t, const std::vector<std::uint8_t> &bytes) {
  const std::size_t size = popscope::elementBytes(t.view.type);
  if (bytes.size() == size || !popscope::containsAliases(t.view))
    return;
  std::map<std::pair<GraphVarId, std::uint64_t>, std::size_t> first; // element -> the position where the view names it
                                                                     // first
  std::size_t position = 0;
  for (const popscope::ViewRun &run : t.view.runs)
    for (std::uint64_t i = 0; i < run.count; ++i, ++position) {
      const std::uint64_t element = run.at(i);
      const std::size_t at = first.try_emplace({run.var, element}, position).first->second;
      if (std::memcmp(bytes.data() + at * size, bytes.data() + position * size, size) != 0)
        throw poplar_error(fmt::format(
            "setInitialValue: {} names element {} of variable \"{}\" at its positions {} and {}, which are given "
            "different values.",
            popscope::describe(t), element, t.graph->ir.names[t.graph->ir.vars[run.var].name], at, position));
    }
}

/// Returns the data of the tensor. Checks that values can be set, and that there is memory for the values. A view can
/// have many runs of few elements each. So the function checks a variable once for consecutive runs, and describes the
/// view once.
const popscope::TensorData &settable(const Graph &graph, const Tensor &tensor, const char *operation) {
  const popscope::TensorData &t = popscope::ownTensor(graph, tensor, operation);
  const std::string what = fmt::format("{} of {}", operation, popscope::describe(t));
  GraphVarId checked;
  for (const popscope::ViewRun &run : t.view.runs) {
    if (run.var == checked)
      continue;
    checked = run.var;
    const GraphVar &var = t.graph->ir.vars[run.var];
    if (var.constant)
      throw poplar_error(fmt::format("{}: {} contains constants, which have the values that addConstant gave them.",
                                     operation, popscope::describe(t)));
    popscope::checkContentBytes(var.elements, var.type, what);
  }
  return t;
}

/// Writes bytes in view order into the initial contents of the variables. If `bytes` has one element only, repeats it.
void writeInitial(const popscope::TensorData &t, const std::vector<std::uint8_t> &bytes) {
  const std::size_t size = popscope::elementBytes(t.view.type);
  const std::size_t step = bytes.size() == size ? 0 : size;
  checkAliases(t, bytes);
  const std::uint8_t *in = bytes.data();
  std::set<GraphVarId> written;
  for (const popscope::ViewRun &run : t.view.runs) {
    written.insert(run.var);
    GraphVar &var = t.graph->ir.vars[run.var];
    if (var.initial.empty())
      var.initial.resize(var.elements * size, 0);
    for (std::uint64_t i = 0; i < run.count; ++i, in += step)
      std::memcpy(var.initial.data() + run.at(i) * size, in, size);
  }
  for (const GraphVarId var : written)
    popscope::copyContentsToReplicas(t.graph->ir, var);
}

std::vector<std::uint8_t> initialOf(const popscope::TensorData &t, const TypeTraits &traits, const void *values,
                                    std::size_t count, const std::string &what) {
  if (t.view.type != ElementType::Quarter)
    return popscope::toDeviceExactly(t.view.type, traits, values, count, what);
  const QuarterMetadata metadata = popscope::metadataValue(t.metadata.get(), what);
  return popscope::toDeviceExactly(t.view.type, traits, values, count, what, &metadata);
}

void checkInitialCount(const popscope::TensorData &t, std::size_t count) {
  if (count != t.view.elements())
    throw poplar_error(fmt::format("setInitialValue: {} values are given for {}, which has {} elements.", count,
                                   popscope::describe(t), t.view.elements()));
}

} // namespace

void Graph::setTensorValues(const Tensor &t, const TypeTraits &traits, const void *values, std::size_t count,
                            bool broadcast) {
  const popscope::TensorData &data = settable(*this, t, "setInitialValue");
  if (!broadcast)
    checkInitialCount(data, count);
  if (data.view.elements() > 0)
    writeInitial(data, initialOf(data, traits, values, count, "setInitialValue of " + popscope::describe(data)));
}

void Graph::setInitialValueHalf(const Tensor &t, std::uint16_t val) {
  const popscope::TensorData &data = settable(*this, t, "setInitialValueHalf");
  if (data.view.elements() > 0)
    writeInitial(data, halfBytes(t.elementType(), &val, 1));
}

void Graph::setInitialValueHalf(const Tensor &t, ArrayRef<std::uint16_t> val) {
  const popscope::TensorData &data = settable(*this, t, "setInitialValueHalf");
  checkInitialCount(data, val.size());
  if (data.view.elements() > 0)
    writeInitial(data, halfBytes(t.elementType(), val.data(), val.size()));
}

Tensor Graph::getVariable(VariableRef v) const {
  const auto &shared = GraphAccess::shared(*this);
  if (v.id >= shared->ir.vars.size())
    throw poplar_error(
        fmt::format("getVariable: there is no variable {}; this graph has {}.", v.id, shared->ir.vars.size()));
  const GraphVar &var = shared->ir.vars[GraphVarId(v.id)];
  return GraphAccess::tensor(shared, popscope::wholeVariable(GraphVarId(v.id), var.type, {var.elements}));
}

bool Graph::isConstant(VariableRef v) const { return getVariable(v).containsConstant(); }

} // namespace poplar

poplar::Tensor popscope::addExactConstant(poplar::Graph &graph, const poplar::Type &type,
                                          poplar::ArrayRef<std::size_t> shape, const void *values,
                                          const poplar::TypeTraits &traits, bool broadcast,
                                          const poplar::DebugContext &dc) {
  return poplar::addConvertedConstant(graph, type, shape, values, broadcast, dc,
                                      [&](std::size_t count, const std::string &what) {
                                        return toDeviceExactly(elementType(type), traits, values, count, what);
                                      });
}

namespace popscope {

poplar::Tensor addPlainVariable(const poplar::Graph &graph, const poplar::Type &type,
                                const std::vector<std::size_t> &shape, poplar::VariableMappingMethod mappingMethod,
                                const poplar::DebugContext &dc) {
  const GraphHandle &handle = GraphAccess::handle(graph);
  GraphVar var = poplar::newVariable(handle, type, shape, dc);
  if (mappingMethod == poplar::VariableMappingMethod::LINEAR)
    overlayMapping(var.mapping, linearMapping(var.elements, handle.allTiles()));
  const GraphVarId id = addVariable(handle.graph->ir, std::move(var), handle.split);
  return GraphAccess::tensor(handle.graph, wholeVariable(id, elementType(type), shape));
}

poplar::Tensor addConstantBytes(const poplar::Graph &graph, const poplar::Type &type,
                                const std::vector<std::size_t> &shape, std::vector<std::uint8_t> bytes,
                                const poplar::DebugContext &dc) {
  const GraphHandle &handle = GraphAccess::handle(graph);
  GraphVar var = poplar::newVariable(handle, type, shape, dc);
  var.constant = true;
  var.initial = std::move(bytes);
  const GraphVarId id = addVariable(handle.graph->ir, std::move(var), handle.split);
  return GraphAccess::tensor(handle.graph, wholeVariable(id, elementType(type), shape));
}

} // namespace popscope
