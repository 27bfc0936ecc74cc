#include "engine/collect/Collect.hpp"

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

} // namespace

void collectMemory(const CollectInput &input, CompilationRecord &record) {
  record.tiles.reserve(input.layout.tiles.size());
  for (const TileMemory &tile : input.layout.tiles)
    record.tiles.push_back(translate(tile));
  for (const TileId tile : input.layout.tilesOutOfMemory)
    record.tilesOutOfMemory.push_back(tile.index());
}

} // namespace popscope
