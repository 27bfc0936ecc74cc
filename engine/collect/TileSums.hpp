// Functions that build lists with one number per tile (TileValues), for example bytes or cycles, for records of the
// profile.
#pragma once
#include "base/Ids.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// Returns a number of bytes, cycles or other things as a plain integer.
inline std::uint64_t numberOf(std::uint64_t amount) { return amount; }
template <class Tag, class Rep> std::uint64_t numberOf(Quantity<Tag, Rep> amount) { return amount.count(); }

/// Adds a row with the tile and the amount, unless the amount is 0. Tiles may come in any order and repeatedly. After
/// the last call of addRow(), the caller must call joinTiles().
template <class Amount> void addRow(TileValues &rows, TileId tile, Amount amount) {
  if (const std::uint64_t number = numberOf(amount); number != 0)
    rows.emplace_back(tile.index(), number);
}
/// Sorts the rows by tile, and replaces the rows of each tile by one row with the sum of their amounts. Cost: linear if
/// the tiles are already in ascending order, and otherwise n log n for n rows.
void joinTiles(TileValues &rows);

} // namespace popscope
