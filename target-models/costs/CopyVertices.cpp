// The copy vertices of the runtime: the choice among them, their cycles and their memory
// (docs/inside/cost-model.md).
#include "base/Check.hpp"
#include "base/Words.hpp"
#include "target-models/costs/CostModel.hpp"

namespace popscope {
namespace {

struct CopyVertexRow {
  const char *name;
  bool wide = false, twoElements = false; // see wantsWideHomes, wantsTwoElements
};
constexpr CopyVertexRow kCopyVertices[kNumCopyVertexKinds] = {
    // in the order of CopyVertexKind
    {.name = "poplar_rt::Memcpy64BitSupervisor", .wide = true, .twoElements = true},
    {.name = "poplar_rt::ShortMemcpy"},
    {.name = "poplar_rt::StridedCopyDA32"},
    {.name = "poplar_rt::DstStridedCopyDA32"},
    {.name = "poplar_rt::SubWordCopy"},
    {.name = "poplar_rt::Memcpy64Bit", .wide = true, .twoElements = true},
    {.name = "poplar_rt::StridedCopy64BitMultiAccess", .wide = true, .twoElements = true},
    {.name = "poplar_rt::DstStridedCopy64BitMultiAccess", .wide = true, .twoElements = true},
    {.name = "poplar_rt::MemsetZero"},
    {.name = "poplar_rt::MemsetZero64Bit", .wide = true},
    {.name = "poplar_rt::DstStridedMemsetZero64Bit", .wide = true},
    {.name = "poplar_rt::DstStridedMemsetZero"},
    {.name = "poplar_rt::Memset"},
    {.name = "poplar_rt::Memset64Bit", .wide = true},
    {.name = "poplar_rt::DstStridedMemset64Bit", .wide = true},
    {.name = "poplar_rt::DstStridedMemset"},
    {.name = "poplar_rt::SubWordMemset"},
};

const CopyVertexRow &rowOf(CopyVertexKind kind) {
  const auto row = static_cast<std::size_t>(kind);
  POPSCOPE_CHECK(row < kNumCopyVertexKinds, "unknown copy vertex kind {}", row);
  return kCopyVertices[row];
}

const CopyVertexModel &modelOf(const TileMachine &machine, CopyVertexKind kind) {
  return machine.copyVertices[static_cast<std::size_t>(kind)];
}

/// Returns the bytes of a number in 7-bit groups, in which descriptors store their count of runs.
std::uint32_t groupedBytes(std::uint64_t value) {
  std::uint32_t bytes = 1;
  for (; value >= 128; value /= 128)
    ++bytes;
  return bytes;
}

} // namespace

const char *copyVertexName(CopyVertexKind kind) { return rowOf(kind).name; }
bool copyVertexIsSupervisor(CopyVertexKind kind) { return kind == CopyVertexKind::Memcpy64BitSupervisor; }
bool wantsWideHomes(CopyVertexKind kind) { return rowOf(kind).wide; }
bool wantsTwoElements(CopyVertexKind kind) { return rowOf(kind).twoElements; }

CopyVertexKind CostModel::chooseCopyVertex(const CopyShape &shape) const {
  using Kind = CopyVertexKind;
  const CopyChoice &choice = machine_.copyChoice;
  const bool one = shape.runs == 1,
             wide = shape.align % kWideCopyBytes == 0 && shape.bytes.count() >= choice.wideCopyMinBytes;
  if (shape.value != CopyShape::Value::Copied) {
    const bool zero = shape.value == CopyShape::Value::Zero;
    if (shape.align % kWordBytes != 0)
      return Kind::SubWordMemset;
    if (wide)
      return one    ? (zero ? Kind::MemsetZero64Bit : Kind::Memset64Bit)
             : zero ? Kind::DstStridedMemsetZero64Bit
                    : Kind::DstStridedMemset64Bit;
    return one ? (zero ? Kind::MemsetZero : Kind::Memset) : zero ? Kind::DstStridedMemsetZero : Kind::DstStridedMemset;
  }
  if (shape.align % kWordBytes != 0)
    return Kind::SubWordCopy;
  if (one && wide && shape.multiAccess)
    return Kind::Memcpy64BitSupervisor;
  if (one && shape.bytes.count() <= choice.shortCopyMaxBytes)
    return Kind::ShortMemcpy;
  if (wide && shape.multiAccess)
    return shape.contiguousSource ? Kind::DstStridedCopy64BitMultiAccess : Kind::StridedCopy64BitMultiAccess;
  return shape.contiguousSource ? Kind::DstStridedCopyDA32 : Kind::StridedCopyDA32;
}

Cycles CostModel::copyVertexCycles(CopyVertexKind kind, Bytes bytes, std::uint64_t runs) const {
  const CopyVertexModel &model = modelOf(machine_, kind);
  const std::uint64_t steps = (bytes.count() + model.bytesPerStep - 1) / model.bytesPerStep;
  return Cycles(model.baseCycles + model.cyclesPerRun * runs + model.cyclesPerStep * steps);
}

CopyVertexFootprint CostModel::copyVertexFootprint(CopyVertexKind kind, std::uint64_t runs) const {
  const CopyVertexModel &model = modelOf(machine_, kind);
  CopyVertexFootprint footprint;
  footprint.pointerBytes = model.pointerBytes + model.scaledPointers * machine_.scaledPointerBytes;
  footprint.stateBytes = footprint.pointerBytes + model.otherStateBytes;
  if (model.descriptorBytes != 0)
    footprint.descriptorBytes = model.descriptorBytes + groupedBytes(runs);
  return footprint;
}

Bytes CostModel::copyVertexCodeBytes(CopyVertexKind kind) const { return Bytes(modelOf(machine_, kind).codeBytes); }

} // namespace popscope
