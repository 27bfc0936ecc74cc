// LowerVertices: vertex types with their code, the bytes of each vertex on its tile, values of state fields.
#include "graph/codelets/TileLayout.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <cstring>

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

/// Element counts of every field: vectors of edges from what is connected, vectors of state from values or sizes.
std::vector<FieldCounts> countFields(const VertexClass &type, const GraphVertex &vertex) {
  std::vector<FieldCounts> counts(type.fields.size());
  for (const auto &size : vertex.fieldSizes)
    counts.at(size.first).elements = size.second;
  for (const GraphState &state : vertex.states)
    counts.at(state.field).elements = std::max(counts.at(state.field).elements, state.elements);
  std::vector<std::uint8_t> seen(type.fields.size(), 0);
  for (const GraphEdge &edge : vertex.edges) {
    FieldCounts &count = counts.at(edge.field);
    if (!seen[edge.field])
      count.elements = 0;
    seen[edge.field] = 1;
    const std::uint64_t elements = viewCount(edge.view);
    switch (type.fields[edge.field].shape) {
    case FieldShape::Scalar: case FieldShape::Vector: count.elements += elements; break;
    case FieldShape::VectorOfScalars: count.elements = std::max<std::uint64_t>(count.elements, edge.subIndex + std::uint64_t(1)); break;
    case FieldShape::VectorOfVectors: case FieldShape::VectorList:
      count.elements = std::max<std::uint64_t>(count.elements, edge.subIndex + std::uint64_t(1));
      count.inner.resize(count.elements, 0);
      count.inner[edge.subIndex] += elements;
      break;
    }
  }
  return counts;
}

std::string shapeKey(int codelet, const std::vector<FieldCounts> &counts) {
  std::string key;
  const auto add = [&key](std::uint64_t n) {
    char bytes[sizeof n];
    std::memcpy(bytes, &n, sizeof n);
    key.append(bytes, sizeof n);
  };
  add(static_cast<std::uint64_t>(codelet));
  for (const FieldCounts &count : counts) {
    add(count.elements);
    add(count.inner.size());
    for (const std::uint64_t n : count.inner)
      add(n);
  }
  return key;
}

std::uint64_t hashFootprint(const VertexFootprint &f) {
  std::uint64_t hash = 0;
  for (const std::uint32_t n : {f.instanceState, f.fieldData, f.vectorListDescriptor, f.copyDescriptor, f.internalState, f.edgePointers,
                                f.copyPointers, f.padding, f.descriptors})
    hash = (hash ^ n) * 0x100000001b3ULL;
  return hash;
}

} // namespace

std::uint32_t LoweringContext::library(const std::string &function, std::uint32_t bytes) {
  const auto known = libraries_.find(function);
  if (known != libraries_.end())
    return known->second;
  const auto index = static_cast<std::uint32_t>(out.libraryCode.size());
  out.libraryCode.push_back({function, bytes != 0 ? bytes : static_cast<std::uint32_t>(costs.libraryCode(function.c_str()).count())});
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
  type.codeBytes = c.codeBytes;
  type.codeKnown = c.standIn != nullptr || c.codeBytes > 0;
  for (const auto &shared : c.sharedCode)
    type.libraries.push_back(library(shared.first, shared.second));
  type.stateBytes = tileStateBytes(c, graph.machine.architecture);
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
  type.codeBytes = static_cast<std::uint32_t>(costs.copyVertexCodeBytes(kind).count());
  type.codeKnown = true;
  type.stateBytes = costs.copyVertexFootprint(kind, 1).stateBytes;
  return known = out.vertexTypes.push(std::move(type));
}

std::uint32_t LoweringContext::footprint(const VertexFootprint &f) {
  std::vector<std::uint32_t> &candidates = footprintsByHash_[hashFootprint(f)];
  for (const std::uint32_t i : candidates)
    if (out.footprints[i] == f)
      return i;
  candidates.push_back(static_cast<std::uint32_t>(out.footprints.size()));
  out.footprints.push_back(f);
  return candidates.back();
}

std::uint32_t LoweringContext::vertexFootprint(const GraphVertex &vertex) {
  const VertexClass &type = graph.codelets.at(vertex.codelet);
  const std::vector<FieldCounts> counts = countFields(type, vertex);
  const auto known = footprintsByShape_.find(shapeKey(vertex.codelet, counts));
  if (known != footprintsByShape_.end())
    return known->second;
  const TileVertexBytes bytes = tileVertexBytes(type, counts, graph.machine.architecture);
  VertexFootprint f;
  f.instanceState = bytes.instanceState;
  f.fieldData = bytes.fieldData;
  f.vectorListDescriptor = bytes.vectorListDescriptor;
  f.internalState = bytes.internalState;
  f.edgePointers = bytes.edgePointers;
  f.padding = bytes.padding;
  f.descriptors = bytes.descriptors;
  return footprintsByShape_[shapeKey(vertex.codelet, counts)] = footprint(f);
}

void LoweringContext::addStates(const GraphVertex &vertex, StepVertex &step) {
  const VertexClass &type = graph.codelets.at(vertex.codelet);
  step.firstState = static_cast<std::uint32_t>(out.states.size());
  for (const GraphState &state : vertex.states) {
    out.states.push_back({state.field, state.elements, out.data.size()});
    out.data.insert(out.data.end(), state.bytes.begin(), state.bytes.end());
  }
  for (const auto &size : vertex.fieldSizes) {
    const auto valued = [&](const GraphState &s) { return s.field == size.first; };
    if (type.fields.at(size.first).direction != FieldDirection::State || std::any_of(vertex.states.begin(), vertex.states.end(), valued))
      continue;
    out.states.push_back({size.first, size.second, out.data.size()});
    out.data.resize(out.data.size() + size.second * elementBytes(type.fields[size.first].type), 0);
  }
  step.numState = static_cast<std::uint32_t>(out.states.size()) - step.firstState;
}

} // namespace popscope
