#include "instrument/counters/LimitDetail.hpp"

#include <algorithm>

namespace popscope {
namespace {

// Keeps the time of each IPU's slowest tile. All tiles of the IPU synchronise before they read the counter. So this
// time does not include differences between the times at which the tiles enter the step.
void keepSlowestOfIpu(StepRecord &record) {
  const std::size_t tiles = record.ipus.empty() ? 0 : record.cyclesByTile.size() / record.ipus.size();
  auto first = record.cyclesByTile.begin();
  for (StepOnIpu &ipu : record.ipus) {
    if (ipu.activeTiles != 0 && tiles != 0) {
      ipu.cycles = Cycles(*std::max_element(first, first + static_cast<std::ptrdiff_t>(tiles)));
      ipu.activeToMax = ipu.activeFromMin + ipu.cycles;
    }
    ipu.detail = TimeDetail::Longest;
    first += static_cast<std::ptrdiff_t>(tiles);
  }
}

// Keeps only the time of the slowest IPU, and stores it at the first IPU.
void keepSlowestOfDevice(StepRecord &record) {
  StepOnIpu slowest = record.ipus.front();
  Cycles left;
  for (StepOnIpu &ipu : record.ipus) {
    left = std::max(left, ipu.allToMax);
    if (ipu.activeTiles != 0 && (slowest.activeTiles == 0 || ipu.cycles > slowest.cycles))
      slowest = ipu;
    ipu.detail = TimeDetail::Nothing;
  }
  StepOnIpu &first = record.ipus.front();
  first.detail = TimeDetail::Longest;
  first.cycles = slowest.activeTiles == 0 ? Cycles() : slowest.cycles;
  first.activeFromMin = slowest.activeFromMin;
  first.activeToMax = slowest.activeToMax;
  first.allToMax = left;
}

// Returns whether the cycles of some vertices are unknown. Call this before the cycles of types are removed.
bool lacksCycles(const StepRecord &record) {
  return std::any_of(record.vertexTypes.begin(), record.vertexTypes.end(),
                     [](const VertexTypeCycles &type) { return !type.cycles; });
}

void removeTimes(StepRecord &record) {
  record.cyclesByTile.clear();
  for (StepOnIpu &ipu : record.ipus)
    ipu.detail = TimeDetail::Nothing;
}

void limitCompute(ComputeDetail detail, StepRecord &record) {
  const bool lacks = lacksCycles(record);
  if (lacks) {
    record.slots.reset();
    removeTimes(record);
  }
  if (detail == ComputeDetail::Vertex)
    return;
  record.threadCycles.reset();
  record.slots.reset();
  for (VertexTypeCycles &type : record.vertexTypes)
    type.cycles.reset();
  if (detail == ComputeDetail::Tile || lacks)
    return;
  if (detail == ComputeDetail::Nothing)
    return removeTimes(record);
  keepSlowestOfIpu(record);
  record.cyclesByTile.clear();
  if (detail == ComputeDetail::Device && !record.ipus.empty())
    keepSlowestOfDevice(record);
}

} // namespace

void limitDetail(const RecordedDetail &detail, TimeKind kind, StepCounters counters, StepRecord &record) {
  if (!records(detail, kind)) {
    record.threadCycles.reset();
    record.slots.reset();
    for (VertexTypeCycles &type : record.vertexTypes)
      type.cycles.reset();
    return removeTimes(record);
  }
  if (kind == TimeKind::Compute)
    return limitCompute(detail.compute, record);
  if (counters == StepCounters::External && !detail.external)
    return removeTimes(record);
  if (detail.compute == ComputeDetail::Nothing) // then start times are unknown
    for (StepOnIpu &ipu : record.ipus)
      ipu.detail = TimeDetail::Duration;
}

void limitDetail(const RecordedDetail &detail, RunTotals &totals) {
  totals.computeKnown = totals.totalKnown && detail.compute >= ComputeDetail::Tile;
  totals.externalKnown = detail.external;
  if (detail.compute != ComputeDetail::Vertex)
    totals.threadCycles.reset();
}

} // namespace popscope
