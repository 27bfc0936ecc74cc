// Quarter tensors: their metadata tensors, variables, constants and clones; conversion of host values.
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/TensorChecks.hpp"
#include "graph/api/ValueConversion.hpp"
#include "graph/ir/Replicas.hpp"

#include "base/PublicTypes.hpp"

#include <poplar/Graph.hpp>
#include <poplar/MetadataCreation.hpp>
#include <poplar/TypeConversion.hpp>
#include <poplar/exceptions.hpp>

#include <cstring>
#include <fmt/format.h>

using popscope::GraphAccess;
using popscope::TensorData;

namespace popscope {

poplar::QuarterMetadata metadataValue(const TensorData *metadata, const std::string &what) {
  const bool known = metadata != nullptr && metadata->view.elements() == 1 &&
                     !metadata->graph->ir.vars[metadata->view.runs.front().var].initial.empty();
  if (!known)
    throw poplar::type_error(what + ": values of quarter need metadata whose value is known while the graph is built; "
                                    "createConstantMetadataTensor makes it.");
  return poplar::QuarterMetadata(initialBytes(*metadata).front());
}

void convertToDevice(const poplar::Type &type, const poplar::QuarterMetadata *metadata,
                     const poplar::TypeTraits &traits, const void *src, std::size_t count, void *dst) {
  const auto bytes = toDevice(elementType(type), traits, src, count, "convertToDeviceType", metadata);
  if (!bytes.empty())
    std::memcpy(dst, bytes.data(), bytes.size());
}

void convertFromDevice(const poplar::Type &type, const poplar::QuarterMetadata *metadata,
                       const poplar::TypeTraits &traits, const void *src, std::size_t count, void *dst) {
  const ElementType element = elementType(type);
  if (element == ElementType::Invalid || (element == ElementType::Quarter && metadata == nullptr))
    throw poplar::type_error(fmt::format("convertFromDeviceType: values of {} cannot be converted{}.",
                                         elementTypeName(element),
                                         element == ElementType::Quarter ? " without metadata" : ""));
  const auto *in = static_cast<const std::uint8_t *>(src);
  const std::vector<std::uint8_t> bytes(in, in + count * elementBytes(element));
  fromDevice(element, bytes, traits, dst, count, metadata);
}

} // namespace popscope

namespace poplar {

Tensor createConstantMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    const DebugContext &dc) {
  const Tensor t =
      graph.addConstant<unsigned char>(QUARTER_METADATA, {}, QuarterMetadata(format, scale).getBinary(), dc);
  graph.setTileMapping(t, 0);
  return t;
}

Tensor createVariableMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    const DebugContext &dc) {
  const QuarterMetadata metadata(format, scale);
  const Tensor t = graph.addVariable(QUARTER_METADATA, {}, dc);
  graph.setTileMapping(t, 0);
  graph.setInitialValue<unsigned char>(t, metadata.getBinary());
  return t;
}

Tensor createVariableMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    program::Sequence &prog, const DebugContext &dc) {
  const Tensor value = createConstantMetadataTensor(graph, format, scale, dc);
  const Tensor t = graph.addVariable(QUARTER_METADATA, {}, dc);
  graph.setTileMapping(t, 0);
  prog.add(program::Copy(value, t, false, dc));
  return t;
}

Tensor Graph::addQuarterVariable(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape,
                                 VariableMappingMethod mappingMethod, const DebugContext &dc) {
  if (type != QUARTER)
    throw type_error(fmt::format("addVariable \"{}\": metadata is given for elements of {}; only quarter has any.",
                                 dc.getPathName(), type.toString().cloneAsString()));
  return addVariable(type, shape, mappingMethod, dc).associateMetadata(metadata);
}

Tensor Graph::addQuarterConstant(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape,
                                 const void *values, const TypeTraits &traits, bool broadcast, const DebugContext &dc) {
  if (!metadata.valid())
    return addConstant(type, shape, values, traits, broadcast, dc);
  const std::string what = fmt::format("Constant \"{}\"", dc.getPathName());
  if (type != QUARTER)
    throw type_error(fmt::format("{}: metadata is given for elements of {}; only quarter has any.", what,
                                 type.toString().cloneAsString()));
  const std::uint64_t elements = popscope::elementsOf({shape.begin(), shape.end()}, what);
  (void)popscope::contentBytes(elements, popscope::ElementType::Quarter, what);
  if (elements > 0 && values == nullptr)
    throw tensor_creation_error(what + ": its values are a null pointer.");
  const QuarterMetadata value = popscope::metadataValue(&GraphAccess::data(metadata), what);
  std::vector<std::uint8_t> bytes =
      popscope::toDevice(popscope::ElementType::Quarter, traits, values, broadcast ? 1 : elements, what, &value);
  if (broadcast)
    bytes.assign(elements, bytes.front());
  // As unsigned characters, which are converted bit for bit, then by their right name.
  const Tensor raw = addConstant(UNSIGNED_CHAR, shape, static_cast<const void *>(bytes.data()),
                                 TypeTraits::make<unsigned char>(), false, dc);
  popscope::View view = GraphAccess::data(raw).view;
  view.type = popscope::ElementType::Quarter;
  for (const popscope::ViewRun &run : view.runs) {
    GraphAccess::shared(*this)->ir.vars[run.var].type = popscope::ElementType::Quarter;
    popscope::copyContentsToReplicas(GraphAccess::shared(*this)->ir, run.var);
  }
  return GraphAccess::tensor(GraphAccess::shared(*this), std::move(view)).associateMetadata(metadata);
}

Tensor Graph::cloneQuarter(const Type &type, const Tensor &metadata, const Tensor &t, const DebugContext &dc,
                           TensorCloneMethod method) {
  return clone(type, t, dc, method).associateMetadata(metadata);
}

} // namespace poplar
