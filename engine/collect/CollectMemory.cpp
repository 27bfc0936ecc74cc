#include "base/Check.hpp"
#include "engine/collect/Collect.hpp"
#include "engine/collect/VariableNames.hpp"

namespace popscope {
namespace {

TileMemoryRecord translate(const TileMemory &tile) {
  TileMemoryRecord r;
  for (std::size_t c = 0; c < kNumStorageCategories; ++c)
    for (std::size_t region = 0; region < kNumRegions; ++region)
      r.category[c][region] = tile.category[c].by[region];
  r.usedBy = tile.usedBy;
  r.regionExcludingGaps = tile.excludingGaps;
  r.regionIncludingGaps = tile.includingGaps;
  r.totalExcludingGaps = tile.totalExcludingGaps;
  r.totalIncludingGaps = tile.totalIncludingGaps;
  r.afterOverlapping = tile.afterOverlapping;
  r.lowerBoundOverlapped = tile.lowerBoundOverlapped;
  r.alwaysLiveBytes = tile.alwaysLiveBytes;
  r.maxNotAlwaysLiveBytes = tile.maxNotAlwaysLiveBytes;
  return r;
}

/// Of what is no home.
std::string ownerName(const StepProgram &program, const Allocation &a) {
  switch (a.owner) {
  case OwnerKind::VertexCode: return program.vertexTypes[VertexTypeId(a.ownerIndex)].name;
  case OwnerKind::LibraryCode: return program.libraryCode[a.ownerIndex].name;
  case OwnerKind::Control:
  case OwnerKind::InternalExchange:
  case OwnerKind::HostExchange:
  case OwnerKind::GlobalExchange:
  case OwnerKind::HostHeader:
  case OwnerKind::GlobalHeader:
  case OwnerKind::Instrumentation:
  case OwnerKind::ControlTable:
    return a.ownerIndex < program.steps.size() ? program.names[program.steps[StepIndex(a.ownerIndex)].name] : "";
  case OwnerKind::Home:
  case OwnerKind::Vertex:
  case OwnerKind::CopyVertex:
  case OwnerKind::Runtime:
  case OwnerKind::Stack:
  case OwnerKind::SharedData: break;
  }
  return storageCategoryKey(a.category);
}

} // namespace

void collectMemory(const CollectInput &input, CompilationRecord &record) {
  record.tiles.reserve(input.layout.tiles.size());
  for (const TileMemory &tile : input.layout.tiles)
    record.tiles.push_back(translate(tile));
  for (const TileId tile : input.layout.tilesOutOfMemory)
    record.tilesOutOfMemory.push_back(tile.index());
  if (!input.loweredVariables)
    return;
  VariableNames names(input.program, record.variableNames);
  record.loweredVariables.reserve(input.layout.allocations.size());
  for (const Allocation &a : input.layout.allocations) {
    LoweredVariableRecord v;
    v.name = a.owner == OwnerKind::Home ? names.of(input.program.vars[input.program.homes[HomeId(a.ownerIndex)].var])
                                        : record.variableNames.intern(ownerName(input.program, a));
    v.tile = a.tile.index();
    v.offset = a.address;
    v.bytes = a.bytes;
    v.alignment = a.alignment;
    v.category = a.category;
    v.overlapped = a.overlapped;
    v.occupiedClass = a.occupied.index();
    v.alwaysLive = a.occupied == LiveClassId(1);
    if (a.owner == OwnerKind::Home) {
      const VarId var = input.program.homes[HomeId(a.ownerIndex)].var;
      v.variable = var.index(); // renumbered by collectLiveness
      v.isConstant = input.program.vars[var].constant;
      v.alwaysLive = input.ranges.always[var];
    }
    record.loweredVariables.push_back(v);
  }
}

} // namespace popscope
