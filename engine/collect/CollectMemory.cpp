#include "engine/collect/Collect.hpp"

namespace popscope {

void collectMemory(const CollectInput &input, CompilationRecord &record) {
  record.tiles = input.layout.tiles;
  for (const TileId tile : input.layout.tilesOutOfMemory)
    record.tilesOutOfMemory.push_back(tile.index());
}

} // namespace popscope
