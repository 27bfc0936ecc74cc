// Functions that build lists of amounts per tile, in the form of profile records (TileValues).
#pragma once
#include "base/Ids.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// Returns an amount as a plain number.
inline std::uint64_t numberOf(std::uint64_t amount) { return amount; }
template <class Tag, class Rep> std::uint64_t numberOf(Quantity<Tag, Rep> amount) { return amount.count(); }

/// Adds a row for the amount, unless the amount is 0. Tiles may come in any order and repeatedly. After the last call,
/// the caller calls joinTiles.
template <class Amount> void addRow(TileValues &rows, TileId tile, Amount amount) {
  if (const std::uint64_t number = numberOf(amount); number != 0)
    rows.emplace_back(tile.index(), number);
}
/// Sorts the rows by tile, and replaces the rows of each tile by their sum. Cost: linear if the tiles are already in
/// ascending order.
void joinTiles(TileValues &rows);

} // namespace popscope
