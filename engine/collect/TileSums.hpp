// Amounts per tile in the form of profiles.
#pragma once
#include "base/Ids.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// Returns the plain number of an amount, with or without a unit.
inline std::uint64_t numberOf(std::uint64_t amount) { return amount; }
template <class Tag, class Rep> std::uint64_t numberOf(Quantity<Tag, Rep> amount) { return amount.count(); }

/// Adds a row. Rows may come in any order; joinTiles joins them.
template <class Amount> void addRow(TileValues &rows, TileId tile, Amount amount) {
  if (const std::uint64_t number = numberOf(amount); number != 0)
    rows.emplace_back(tile.index(), number);
}
/// Sorts the rows by tile and sums up the amounts of each. Cost: linear if tiles ascend already.
void joinTiles(TileValues &rows);

} // namespace popscope
