// The copy vertices of the runtime: the choice among them, their cycles and their memory
// (docs/inside/cost-model.md).
#include "base/Check.hpp"
#include "base/Words.hpp"
#include "target-models/costs/CostModel.hpp"

namespace popscope {
namespace {

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

const char *copyVertexName(CopyVertexKind kind) {
  switch (kind) {
  case CopyVertexKind::Memcpy64BitSupervisor: return "poplar_rt::Memcpy64BitSupervisor";
  case CopyVertexKind::ShortMemcpy: return "poplar_rt::ShortMemcpy";
  case CopyVertexKind::StridedCopyDA32: return "poplar_rt::StridedCopyDA32";
  case CopyVertexKind::DstStridedCopyDA32: return "poplar_rt::DstStridedCopyDA32";
  case CopyVertexKind::SubWordCopy: return "poplar_rt::SubWordCopy";
  case CopyVertexKind::Memcpy64Bit: return "poplar_rt::Memcpy64Bit";
  case CopyVertexKind::StridedCopy64BitMultiAccess: return "poplar_rt::StridedCopy64BitMultiAccess";
  case CopyVertexKind::DstStridedCopy64BitMultiAccess: return "poplar_rt::DstStridedCopy64BitMultiAccess";
  case CopyVertexKind::MemsetZero: return "poplar_rt::MemsetZero";
  case CopyVertexKind::MemsetZero64Bit: return "poplar_rt::MemsetZero64Bit";
  case CopyVertexKind::DstStridedMemsetZero64Bit: return "poplar_rt::DstStridedMemsetZero64Bit";
  case CopyVertexKind::DstStridedMemsetZero: return "poplar_rt::DstStridedMemsetZero";
  case CopyVertexKind::Memset: return "poplar_rt::Memset";
  case CopyVertexKind::Memset64Bit: return "poplar_rt::Memset64Bit";
  case CopyVertexKind::DstStridedMemset64Bit: return "poplar_rt::DstStridedMemset64Bit";
  case CopyVertexKind::DstStridedMemset: return "poplar_rt::DstStridedMemset";
  case CopyVertexKind::SubWordMemset: return "poplar_rt::SubWordMemset";
  }
  POPSCOPE_CHECK(false, "unknown copy vertex kind {}", static_cast<int>(kind));
}

bool copyVertexIsSupervisor(CopyVertexKind kind) { return kind == CopyVertexKind::Memcpy64BitSupervisor; }

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
