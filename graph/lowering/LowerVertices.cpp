// LowerVertices: vertex types with their code, the bytes of each vertex on its tile, values of state fields.
#include "base/HashIndex.hpp"
#include "graph/codelets/TileLayout.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <optional>

namespace popscope {
namespace {

VertexKind kindOf(VertexClassKind kind) {
  switch (kind) {
  case VertexClassKind::Worker: return VertexKind::Worker;
  case VertexClassKind::Supervisor: return VertexKind::Supervisor;
  case VertexClassKind::Multi: return VertexKind::Multi;
  }
  return VertexKind::Worker;
}

} // namespace

/// Writes the codelet, then one count per field: elements for state vectors, inner vectors for nested fields, 0 for all
/// others.
void LoweringContext::shapeOf(const GraphVertex &vertex, std::vector<std::uint64_t> &shape) const {
  const std::vector<OperandFacts> &fields = operandFacts(vertex.codelet);
  shape.assign(fields.size() + 1, 0);
  shape[0] = static_cast<std::uint64_t>(vertex.codelet);
  const auto raise = [&](std::uint16_t field, std::uint64_t count) {
    if (fields.at(field).countMatters)
      shape[field + std::size_t(1)] = std::max(shape[field + std::size_t(1)], count);
  };
  for (const GraphFieldSize &size : vertex.fieldSizes())
    raise(size.field, size.elements);
  for (const GraphState &state : vertex.states())
    raise(state.field, state.elements);
  // Connected edges override a size that the user set.
  for (const GraphEdge &edge : vertex.edges())
    shape.at(edge.field + std::size_t(1)) = 0;
  for (const GraphEdge &edge : vertex.edges())
    raise(edge.field, edge.subIndex + std::uint64_t(1));
}

std::size_t LoweringContext::ShapeHash::operator()(const std::vector<std::uint64_t> &shape) const {
  std::uint64_t hash = shape.size();
  for (const std::uint64_t n : shape)
    hash = mixHash(hash, n);
  return hash;
}

std::uint32_t LoweringContext::library(const std::string &function, Bytes32 bytes) {
  const auto known = libraries_.find(function);
  if (known != libraries_.end())
    return known->second;
  const auto index = static_cast<std::uint32_t>(out.libraryCode.size());
  out.libraryCode.push_back({function, bytes != Bytes32() ? bytes : narrow(costs.libraryCode(function.c_str()))});
  libraries_.emplace(function, index);
  return index;
}

VertexTypeId LoweringContext::vertexType(int codelet) {
  typeOfCodelet_.resize(graph.codelets.size());
  VertexTypeId &known = typeOfCodelet_.at(static_cast<std::size_t>(codelet));
  if (known.valid())
    return known;
  const VertexClass &c = graph.codelets.at(codelet);
  StepVertexType type;
  type.name = c.name;
  type.kind = kindOf(c.kind);
  type.codelet = codelet;
  type.codeBytes = Bytes32(c.codeBytes);
  type.codeKnown = c.standIn != nullptr || c.codeBytes > 0;
  for (const auto &shared : c.sharedCode)
    type.libraries.push_back(library(shared.first, Bytes32(shared.second)));
  // The known size covers all code that the entry reaches.
  if (const std::optional<Bytes> table = costs.vertexCode(c.name)) {
    type.codeBytes = narrow(*table);
    type.codeKnown = true;
    type.libraries.clear();
  }
  type.stateBytes = Bytes32(tileStateBytes(c, graph.machine.architecture));
  return known = out.vertexTypes.push(std::move(type));
}

VertexTypeId LoweringContext::copyVertexType(CopyVertexKind kind) {
  typeOfCopy_.resize(kNumCopyVertexKinds);
  VertexTypeId &known = typeOfCopy_[static_cast<std::size_t>(kind)];
  if (known.valid())
    return known;
  StepVertexType type;
  type.name = copyVertexName(kind);
  type.kind = VertexKind::Copy;
  type.codeBytes = narrow(costs.copyVertexCodeBytes(kind));
  type.codeKnown = true;
  type.stateBytes = Bytes32(costs.copyVertexFootprint(kind, 1).stateBytes);
  return known = out.vertexTypes.push(std::move(type));
}

std::uint32_t LoweringContext::vertexFootprint(const GraphVertex &vertex) {
  const VertexClass &type = graph.codelets.at(vertex.codelet);
  shapeOf(vertex, shape_);
  const auto known = footprintsByShape_.find(shape_);
  if (known != footprintsByShape_.end())
    return known->second;
  std::vector<FieldCounts> counts(type.fields.size());
  for (std::size_t f = 0; f < counts.size(); ++f)
    counts[f].elements = shape_[f + 1];
  const TileVertexBytes bytes = tileVertexBytes(type, counts, graph.machine.architecture);
  VertexFootprint f;
  f.instanceState = Bytes32(bytes.instanceState);
  f.fieldData = Bytes32(bytes.fieldData);
  f.vectorListDescriptor = Bytes32(bytes.vectorListDescriptor);
  f.internalState = Bytes32(bytes.internalState);
  f.edgePointers = Bytes32(bytes.edgePointers);
  f.padding = Bytes32(bytes.padding);
  f.descriptors = Bytes32(bytes.descriptors);
  return footprintsByShape_[shape_] = footprints_.numberOf(f);
}

void LoweringContext::addStates(const GraphVertex &vertex, LargeTable<StateValue> &states,
                                LargeTable<std::uint8_t> &data) const {
  for (const GraphState &state : vertex.states()) {
    states.push_back({state.field, state.elements, data.size()});
    data.insert(data.end(), state.bytes.begin(), state.bytes.end());
  }
  for (const GraphFieldSize &size : vertex.fieldSizes()) {
    const FieldInfo &field = graph.codelets.at(vertex.codelet).fields.at(size.field);
    if (field.direction != FieldDirection::State || vertex.state(size.field))
      continue;
    states.push_back({size.field, size.elements, data.size()});
    data.resize(data.size() + size.elements * elementBytes(field.type), 0);
  }
}

} // namespace popscope
