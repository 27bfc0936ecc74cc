// Amounts by tile as profiles have them.
#pragma once
#include "base/Ids.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// Rows are added in any order and joined at the end.
inline void addRow(TileValues &rows, TileId tile, std::uint64_t amount) {
  if (amount != 0)
    rows.emplace_back(tile.index(), amount);
}
template <class Tag, class Rep> void addRow(TileValues &rows, TileId tile, Quantity<Tag, Rep> amount) {
  addRow(rows, tile, std::uint64_t(amount.count()));
}
/// Ascending tiles, each once with the sum of its amounts. Linear where tiles ascend already.
void joinTiles(TileValues &rows);

} // namespace popscope
