// Quarter tensors: their metadata tensors, variables, constants and clones; conversion of host values.
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/TensorChecks.hpp"
#include "graph/api/ValueConversion.hpp"

#include "base/PublicTypes.hpp"
#include "base/Quarter.hpp"

#include <poplar/Graph.hpp>
#include <poplar/MetadataCreation.hpp>
#include <poplar/TypeConversion.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <sstream>
#include <string_view>
#include <vector>

using popscope::GraphAccess;
using popscope::TensorData;

namespace popscope {

bool isKnownMetadata(const TensorData *metadata) {
  return metadata != nullptr && metadata->view.elements() == 1 &&
         !metadata->graph->ir.vars[metadata->view.runs.front().var].initial.empty();
}

poplar::QuarterMetadata metadataValue(const TensorData *metadata, const std::string &what) {
  if (!isKnownMetadata(metadata))
    throw poplar::type_error(what + ": values of quarter need metadata whose value is known while the graph is built; "
                                    "create it with createConstantMetadataTensor.");
  return poplar::QuarterMetadata(initialBytes(*metadata).front());
}

bool areZero(const poplar::TypeTraits &traits, const void *values, std::size_t count, const std::string &what) {
  const std::vector<std::uint8_t> bytes = toDevice(ElementType::Float, traits, values, count, what);
  for (std::size_t i = 0; i != bytes.size(); ++i) // the highest bit is the sign
    if ((i % 4 == 3 ? bytes[i] & 0x7f : bytes[i]) != 0)
      return false;
  return true;
}

void convertToDevice(const poplar::Type &type, const poplar::QuarterMetadata *metadata,
                     const poplar::TypeTraits &traits, const void *src, std::size_t count, void *dst,
                     bool nanOnOverflow) {
  const auto bytes = toDevice(elementType(type), traits, src, count, "convertToDeviceType", metadata,
                              nanOnOverflow ? QuarterOverflow::NaN : QuarterOverflow::Saturate);
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

poplar::QuarterMetadata metadataOfLeastSquareError(const std::vector<double> &values,
                                                   poplar::QuarterMetadata::Format format) {
  constexpr int kLeastScale = -32, kGreatestScale = 31;
  const auto costOf = [&](const poplar::QuarterMetadata &metadata) {
    double cost = 0;
    for (const double value : values) {
      if (!std::isfinite(value))
        continue;
      const double error = quarterToDouble(doubleToQuarter(value, metadata), metadata) - value;
      cost += std::isnan(error) ? std::numeric_limits<double>::infinity() : error * error;
    }
    return cost;
  };
  poplar::QuarterMetadata best(format, 0);
  double least = costOf(best);
  for (int distance = 1; distance <= -kLeastScale && least != 0; ++distance)
    for (const int scale : {-distance, distance}) {
      if (scale > kGreatestScale)
        continue;
      const poplar::QuarterMetadata metadata(format, scale);
      if (const double cost = costOf(metadata); cost < least) {
        least = cost;
        best = metadata;
      }
    }
  return best;
}

void requireQuarter(const poplar::Type &type, const char *function) {
  if (type != poplar::QUARTER)
    throw poplar::type_error(fmt::format("{}: values of {} have no metadata; only quarter has metadata.", function,
                                         type.toString().cloneAsString()));
}

} // namespace popscope

namespace poplar {

namespace {

// A codelet that makes metadata in the tile's format: format in bit 7, scale in bits 0 to 5.
constexpr const char *kFromScale = R"(#include <poplar/Vertex.hpp>
namespace popscope_rt {
template <class Scale> struct MetadataFromScale : poplar::Vertex {
  poplar::Input<Scale> scale;
  poplar::Output<MetadataType> metadata;
  bool isF152;
  void compute() {
    *metadata = MetadataType{static_cast<std::uint8_t>((isF152 ? 0x80 : 0) | (*scale & 0x3f))};
  }
};
template struct MetadataFromScale<int>;
template struct MetadataFromScale<signed char>;
} // namespace popscope_rt
)";

} // namespace

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

Tensor createVariableMetadataTensor(Graph &graph, QuarterMetadata::Format format, const Tensor &scale,
                                    program::Sequence &prog, const DebugContext &dc) {
  const Tensor t = graph.addVariable(QUARTER_METADATA, {}, dc);
  graph.setTileMapping(t, 0);
  setMetadataTensor(graph, format, scale, t, prog, dc);
  return t;
}

void setMetadataTensor(Graph &graph, QuarterMetadata::Format format, const Tensor &scale, const Tensor &metadataOut,
                       program::Sequence &prog, const DebugContext &dc) {
  const auto require = [&](const Tensor &t, bool isRightType, const char *what, std::string_view types) {
    if (!isRightType || t.numElements() != 1)
      throw type_error(fmt::format("Metadata \"{}\": its {} is {} of {}; one element of {} is expected.",
                                   dc.getPathName(), what, t.shapeToString(),
                                   t.elementType().toString().cloneAsString(), types));
  };
  const Type type = scale.elementType();
  require(scale, type == INT || type == SIGNED_CHAR, "scale", "int or signed char");
  require(metadataOut, metadataOut.elementType() == QUARTER_METADATA, "tensor",
          QUARTER_METADATA.toString().cloneAsString());
  const std::string vertex = fmt::format("popscope_rt::MetadataFromScale<{}>", type.toString().cloneAsString());
  if (!graph.hasCodelet(vertex)) {
    std::stringstream source(kFromScale);
    graph.addCodelets(source);
  }
  const ComputeSet cs = graph.addComputeSet(DebugContext(dc, "metadataFromScale"));
  const VertexRef v =
      graph.addVertex(cs, vertex, {{"scale", scale.reshape({})}, {"metadata", metadataOut.reshape({})}});
  graph.setInitialValue(v["isF152"], format == QuarterMetadata::Format::F152);
  // The vertex runs on the tile of the metadata, so that only the scale moves.
  const Graph::TileToTensorMapping mapping = graph.getTileMapping(metadataOut);
  const auto lies = std::find_if(mapping.begin(), mapping.end(), [](const auto &tile) { return !tile.empty(); });
  graph.setTileMapping(v, static_cast<unsigned>(lies - mapping.begin()));
  prog.add(program::Execute(cs, dc));
}

Tensor Graph::addQuarterVariable(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape,
                                 VariableMappingMethod mappingMethod, const DebugContext &dc) {
  if (type != QUARTER)
    throw type_error(fmt::format("addVariable \"{}\": metadata is given for elements of {}; only quarter has metadata.",
                                 dc.getPathName(), type.toString().cloneAsString()));
  return popscope::addPlainVariable(*this, type, shape.cloneAsVector(), mappingMethod, dc).associateMetadata(metadata);
}

Tensor Graph::addQuarterConstant(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape,
                                 const void *values, const TypeTraits &traits, bool broadcast, const DebugContext &dc) {
  if (!metadata.valid())
    return addConstant(type, shape, values, traits, broadcast, dc);
  const std::string what = fmt::format("Constant \"{}\"", dc.getPathName());
  if (type != QUARTER)
    throw type_error(fmt::format("{}: metadata is given for elements of {}; only quarter has metadata.", what,
                                 type.toString().cloneAsString()));
  const std::uint64_t elements = popscope::elementsOf({shape.begin(), shape.end()}, what);
  popscope::checkContentBytes(elements, popscope::ElementType::Quarter, what);
  if (elements > 0 && values == nullptr)
    throw tensor_creation_error(what + ": its values are a null pointer.");
  std::vector<std::uint8_t> bytes(broadcast ? 1 : elements, 0); // 0 has the same bits in each format
  const TensorData *format = &GraphAccess::data(metadata);
  if (popscope::isKnownMetadata(format) || !popscope::areZero(traits, values, bytes.size(), what)) {
    const QuarterMetadata value = popscope::metadataValue(format, what);
    bytes = popscope::toDevice(popscope::ElementType::Quarter, traits, values, bytes.size(), what, &value);
  }
  if (broadcast)
    bytes.assign(elements, bytes.front());
  return popscope::addConstantBytes(*this, type, shape.cloneAsVector(), std::move(bytes), dc)
      .associateMetadata(metadata);
}

Tensor Graph::cloneQuarter(const Type &type, const Tensor &metadata, const Tensor &t, const DebugContext &dc,
                           TensorCloneMethod method) {
  return clone(type, t, dc, method).associateMetadata(metadata);
}

} // namespace poplar
