#include "graph/codelets/TileLayout.hpp"

#include "graph/codelets/CompileLibrary.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

constexpr std::uint32_t kDeltaEntryBytes = 4; // the size of an entry of a delta table

struct SizeAndAlignment {
  std::uint32_t bytes = 0, alignment = 1;
};

SizeAndAlignment pointerSize(PtrLayout layout) {
  switch (layout) {
  case PtrLayout::Span: return {8, 4};
  case PtrLayout::ScaledPtr32:
  case PtrLayout::ScaledPtr64:
  case PtrLayout::ScaledPtr128: return {2, 2};
  case PtrLayout::NotAVector:
  case PtrLayout::ShortSpan:
  case PtrLayout::OnePtr:
  case PtrLayout::CompactPtr: break;
  }
  return {4, 4}; // a pointer of 4 bytes, with the size inside for SHORT_SPAN
}

SizeAndAlignment listSize(ListLayout layout) {
  switch (layout) {
  case ListLayout::ScaledPtr32:
  case ListLayout::ScaledPtr64:
  case ListLayout::ScaledPtr128: return {2, 2};
  // Three halfwords. Known states of Reduce (DELTAN, pointer, DELTAN = 14 bytes) leave no space for alignment to 4.
  case ListLayout::DeltaN: return {6, 2};
  case ListLayout::DeltaNElements: return {8, 4};
  case ListLayout::NotAVector:
  case ListLayout::OnePtr:
  case ListLayout::CompactDeltaN: break;
  }
  return {4, 4};
}

bool hasDeltaTable(ListLayout layout) { return layout == ListLayout::DeltaN || layout == ListLayout::DeltaNElements; }

/// Returns the size and alignment of the field in the vertex state.
SizeAndAlignment fieldSize(const FieldInfo &field, const std::string &target) {
  switch (field.shape) {
  case FieldShape::Scalar: {
    const std::uint32_t bytes = field.direction == FieldDirection::State ? elementBytes(field.type) : 4;
    return {bytes, std::max<std::uint32_t>(bytes, 1)};
  }
  case FieldShape::VectorList: return listSize(resolveLayout(field.list, target));
  case FieldShape::Vector: return pointerSize(resolveLayout(field.outer, field.minAlign, target));
  case FieldShape::VectorOfScalars:
  case FieldShape::VectorOfVectors: break;
  }
  return pointerSize(resolveLayout(field.outer, 4, target)); // points to a table of pointers with alignment 4
}

std::uint32_t padTo(std::uint32_t size, std::uint32_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

struct State {
  std::uint32_t internal = 0, edges = 0, total = 0;
};

/// Calls line(field or -1 for padding, offset, bytes) for each line of the state. Returns the size of the state.
template <class Line> std::uint32_t walkState(const VertexClass &c, const std::string &target, const Line &line) {
  std::uint32_t at = 0, alignment = 1;
  const auto pad = [&](std::uint32_t to) {
    if (to > at)
      line(-1, at, to - at);
    at = to;
  };
  for (std::size_t f = 0; f != c.fields.size(); ++f) {
    const SizeAndAlignment size = fieldSize(c.fields[f], target);
    pad(padTo(at, size.alignment));
    line(static_cast<int>(f), at, size.bytes);
    at += size.bytes;
    alignment = std::max(alignment, size.alignment);
  }
  pad(padTo(at, alignment));
  return at;
}

State stateOf(const VertexClass &c, const std::string &target) {
  State state;
  state.total = walkState(c, target, [&](int field, std::uint32_t, std::uint32_t bytes) {
    if (field >= 0)
      (c.fields[static_cast<std::size_t>(field)].direction == FieldDirection::State ? state.internal : state.edges) +=
          bytes;
  });
  return state;
}

/// Adds the bytes that the field stores outside of the state.
void addOutside(const FieldInfo &field, const FieldCounts &counts, const std::string &target, TileVertexBytes &bytes) {
  const auto rows = static_cast<std::uint32_t>(std::max<std::uint64_t>(counts.elements, counts.inner.size()));
  if (field.shape == FieldShape::Vector && field.direction == FieldDirection::State) {
    const auto data = static_cast<std::uint32_t>(counts.elements * elementBytes(field.type));
    bytes.fieldData += data;
    bytes.internalState += data;
  } else if (field.shape == FieldShape::VectorOfScalars || field.shape == FieldShape::VectorOfVectors) {
    const bool scalar = field.shape == FieldShape::VectorOfScalars;
    const std::uint32_t row = scalar ? 4 : pointerSize(resolveLayout(field.inner, field.minAlign, target)).bytes;
    bytes.fieldData += rows * row;
    bytes.edgePointers += rows * row;
  } else if (field.shape == FieldShape::VectorList && hasDeltaTable(resolveLayout(field.list, target))) {
    bytes.vectorListDescriptor += rows * kDeltaEntryBytes;
    bytes.descriptors += rows * kDeltaEntryBytes;
  }
}

std::uint64_t maxOfBits(unsigned bits) { return (std::uint64_t(1) << bits) - 1; }

std::uint64_t maxOfPointer(PtrLayout layout) { return layout == PtrLayout::ShortSpan ? maxOfBits(11) : maxOfBits(32); }

/// Returns the maximum length in a delta table entry. The length has 14 bits on ipu1. On later architectures, an entry
/// has 32 bits. The offset takes enough of these bits to reach the address space of 21 bits in units of the alignment,
/// and the length has the other bits.
std::uint64_t maxDeltaLength(const FieldInfo &field, ListLayout layout) {
  if (layout == ListLayout::DeltaN)
    return maxOfBits(14);
  unsigned log2Align = 0;
  for (std::uint32_t a = std::max(field.minAlign, elementBytes(field.type)); a > 1; a >>= 1)
    ++log2Align;
  return maxOfBits(32 - (21 - std::min(log2Align, 20u)));
}

} // namespace

PtrLayout resolveLayout(PtrLayout layout, std::uint32_t minAlign, const std::string &target) {
  const bool reach = targetArchitecture(target).shortPointers;
  switch (layout) {
  case PtrLayout::CompactPtr:
    if (!reach || minAlign < 4)
      return PtrLayout::OnePtr;
    return minAlign >= 8 ? PtrLayout::ScaledPtr64 : PtrLayout::ScaledPtr32;
  // An offset of 16 bits in units of 4 or 8 bytes does not reach the whole memory of later tiles.
  case PtrLayout::ScaledPtr32:
  case PtrLayout::ScaledPtr64: return reach ? layout : PtrLayout::OnePtr;
  case PtrLayout::NotAVector:
  case PtrLayout::Span:
  case PtrLayout::ShortSpan:
  case PtrLayout::OnePtr:
  case PtrLayout::ScaledPtr128: break;
  }
  return layout;
}

ListLayout resolveLayout(ListLayout layout, const std::string &target) {
  const bool reach = targetArchitecture(target).shortPointers;
  switch (layout) {
  case ListLayout::CompactDeltaN: return reach ? ListLayout::DeltaN : ListLayout::DeltaNElements;
  case ListLayout::DeltaN: return reach ? layout : ListLayout::DeltaNElements;
  case ListLayout::ScaledPtr32:
  case ListLayout::ScaledPtr64: return reach ? layout : ListLayout::OnePtr;
  case ListLayout::NotAVector:
  case ListLayout::OnePtr:
  case ListLayout::ScaledPtr128:
  case ListLayout::DeltaNElements: break;
  }
  return layout;
}

std::vector<StateLine> tileStateLines(const VertexClass &vertexClass, const std::string &target) {
  std::vector<StateLine> lines;
  walkState(vertexClass, target, [&](int field, std::uint32_t offset, std::uint32_t bytes) {
    StateLine line;
    line.field = field;
    line.offset = offset;
    line.bytes = bytes;
    if (field >= 0) {
      const TileVertexBytes one = tileFieldBytes(vertexClass.fields[static_cast<std::size_t>(field)], {1, {}}, target);
      line.bytesPerElement = one.fieldData + one.vectorListDescriptor;
      line.descriptor = one.vectorListDescriptor != 0;
    }
    lines.push_back(line);
  });
  return lines;
}

TileVertexBytes tileFieldBytes(const FieldInfo &field, const FieldCounts &counts, const std::string &target) {
  TileVertexBytes bytes;
  addOutside(field, counts, target, bytes);
  return bytes;
}

// A scaled pointer has 16 bits and counts units of 4, 8 or 16 bytes. A short span and a DeltaN list have addresses of
// 20 bits. The result is empty for all other layouts, because they reach the whole memory of a tile. The result is also
// empty for scalars, for state and on a host.
PointerReach pointerReach(const FieldInfo &field, const std::string &target) {
  if (targetArchitecture(target).isHost() || field.shape == FieldShape::Scalar ||
      field.direction == FieldDirection::State)
    return {};
  if (field.shape == FieldShape::VectorList)
    switch (resolveLayout(field.list, target)) {
    case ListLayout::ScaledPtr32: return {std::uint64_t(4) << 16, true};
    case ListLayout::ScaledPtr64: return {std::uint64_t(8) << 16, false};
    case ListLayout::ScaledPtr128: return {std::uint64_t(16) << 16, false};
    case ListLayout::DeltaN: return {std::uint64_t(1) << 20, false};
    case ListLayout::NotAVector:
    case ListLayout::OnePtr:
    case ListLayout::DeltaNElements:
    case ListLayout::CompactDeltaN: return {};
    }
  const PtrLayout layout = field.shape == FieldShape::VectorOfVectors ? field.inner : field.outer;
  switch (field.shape == FieldShape::VectorOfScalars ? PtrLayout::OnePtr
                                                     : resolveLayout(layout, field.minAlign, target)) {
  case PtrLayout::ScaledPtr32: return {std::uint64_t(4) << 16, true};
  case PtrLayout::ScaledPtr64: return {std::uint64_t(8) << 16, false};
  case PtrLayout::ScaledPtr128: return {std::uint64_t(16) << 16, false};
  case PtrLayout::ShortSpan: return {std::uint64_t(1) << 20, false};
  case PtrLayout::NotAVector:
  case PtrLayout::Span:
  case PtrLayout::OnePtr:
  case PtrLayout::CompactPtr: break;
  }
  return {};
}

std::uint32_t tileStateBytes(const VertexClass &vertexClass, const std::string &target) {
  return stateOf(vertexClass, target).total;
}

TileVertexBytes tileVertexBytes(const VertexClass &vertexClass, const std::vector<FieldCounts> &counts,
                                const std::string &target) {
  const State state = stateOf(vertexClass, target);
  TileVertexBytes bytes;
  bytes.instanceState = state.total;
  bytes.internalState = state.internal;
  bytes.edgePointers = state.edges;
  bytes.padding = state.total - state.internal - state.edges;
  for (std::size_t f = 0; f != vertexClass.fields.size() && f != counts.size(); ++f)
    addOutside(vertexClass.fields[f], counts[f], target, bytes);
  return bytes;
}

std::uint64_t maxFieldDim(const FieldInfo &field, unsigned dimension, const std::string &target) {
  if (field.shape == FieldShape::Scalar)
    return 1;
  if (targetArchitecture(target).isHost())
    return std::numeric_limits<std::uint64_t>::max(); // the host has full pointers and sizes
  if (field.shape == FieldShape::VectorList) {
    const ListLayout layout = resolveLayout(field.list, target);
    if (!hasDeltaTable(layout))
      return maxOfBits(32);
    if (dimension == 0)
      return layout == ListLayout::DeltaN ? maxOfBits(12) : maxOfBits(16);
    return maxDeltaLength(field, layout);
  }
  const bool inner = dimension != 0 && field.shape == FieldShape::VectorOfVectors;
  return maxOfPointer(resolveLayout(inner ? field.inner : field.outer, field.minAlign, target));
}

} // namespace popscope
