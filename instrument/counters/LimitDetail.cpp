#include "instrument/counters/LimitDetail.hpp"

#include <algorithm>

namespace popscope {
namespace {

// Keeps only the time of the device's longest tile, and stores it at the first IPU.
void keepLongestOfDevice(StepRecord &record) {
  StepOnIpu &first = record.ipus.front();
  bool active = false;
  for (StepOnIpu &ipu : record.ipus) {
    if (ipu.activeTiles != 0) {
      first.activeFromMin = active ? std::min(first.activeFromMin, ipu.activeFromMin) : ipu.activeFromMin;
      first.activeToMax = active ? std::max(first.activeToMax, ipu.activeToMax) : ipu.activeToMax;
      active = true;
    }
    ipu.detail = TimeDetail::Nothing;
  }
  first.detail = TimeDetail::Longest;
  first.cycles = active ? first.activeToMax - first.activeFromMin : Cycles();
}

void limitCompute(ComputeDetail detail, StepRecord &record) {
  if (detail == ComputeDetail::Vertex)
    return;
  record.threadCycles.reset();
  record.slots.reset();
  for (VertexTypeCycles &type : record.vertexTypes)
    type.cycles.reset();
  if (detail == ComputeDetail::Tile)
    return;
  record.cyclesByTile.clear();
  for (StepOnIpu &ipu : record.ipus)
    ipu.detail = detail == ComputeDetail::Ipu ? TimeDetail::Longest : TimeDetail::Nothing;
  if (detail == ComputeDetail::Device && !record.ipus.empty())
    keepLongestOfDevice(record);
}

} // namespace

void limitDetail(const RecordedDetail &detail, TimeKind kind, StepRecord &record) {
  if (!records(detail, kind)) {
    record.threadCycles.reset();
    record.slots.reset();
    record.cyclesByTile.clear();
    for (VertexTypeCycles &type : record.vertexTypes)
      type.cycles.reset();
    for (StepOnIpu &ipu : record.ipus)
      ipu.detail = TimeDetail::Nothing;
    return;
  }
  if (kind == TimeKind::Compute)
    return limitCompute(detail.compute, record);
  if (kind == TimeKind::Exchange || kind == TimeKind::Sync || detail.external) {
    if (detail.compute == ComputeDetail::Nothing) // no start times are known then
      for (StepOnIpu &ipu : record.ipus)
        ipu.detail = TimeDetail::Duration;
    return;
  }
  record.cyclesByTile.clear();
  for (StepOnIpu &ipu : record.ipus)
    ipu.detail = TimeDetail::Nothing;
}

void limitDetail(const RecordedDetail &detail, RunTotals &totals) {
  totals.computeKnown = detail.compute >= ComputeDetail::Tile;
  totals.externalKnown = detail.external;
  if (detail.compute != ComputeDetail::Vertex)
    totals.threadCycles.reset();
}

} // namespace popscope
