// The copy vertices of the runtime: which one, how long, how much memory (ipu-machine facts, 4.1 and 5).
#include "base/Check.hpp"
#include "target-models/costs/CostModel.hpp"

namespace popscope {
namespace {

const CopyVertexModel &modelOf(const TileMachine &machine, CopyVertexKind kind) {
  return machine.copyVertices[static_cast<std::size_t>(kind)];
}

/// Bytes of a number in 7-bit groups, as descriptors hold their count of runs.
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
  }
  POPSCOPE_CHECK(false, "unknown copy vertex kind {}", static_cast<int>(kind));
}

bool copyVertexIsSupervisor(CopyVertexKind kind) { return kind == CopyVertexKind::Memcpy64BitSupervisor; }

CopyVertexKind CostModel::chooseCopyVertex(Bytes bytes, std::uint64_t runs, std::uint32_t align,
                                           bool contiguousSource) const {
  const CopyChoice &choice = machine_.copyChoice;
  if (align % 4 != 0)
    return CopyVertexKind::SubWordCopy;
  if (runs == 1 && align % 8 == 0 && bytes.count() >= choice.wideCopyMinBytes)
    return CopyVertexKind::Memcpy64BitSupervisor;
  if (runs == 1 && bytes.count() <= choice.shortCopyMaxBytes)
    return CopyVertexKind::ShortMemcpy;
  return contiguousSource ? CopyVertexKind::DstStridedCopyDA32 : CopyVertexKind::StridedCopyDA32;
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
