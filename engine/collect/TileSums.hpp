// Amounts by tile as profiles have them.
#pragma once
#include "base/Ids.hpp"
#include "instrument/profile/Records.hpp"

namespace popscope {

/// What a profile has for an amount, with a unit or without.
inline std::uint64_t numberOf(std::uint64_t amount) { return amount; }
template <class Tag, class Rep> std::uint64_t numberOf(Quantity<Tag, Rep> amount) { return amount.count(); }

/// Rows are added in any order and joined at the end.
template <class Amount> void addRow(TileValues &rows, TileId tile, Amount amount) {
  if (const std::uint64_t number = numberOf(amount); number != 0)
    rows.emplace_back(tile.index(), number);
}
/// Ascending tiles, each once with the sum of its amounts. Linear where tiles ascend already.
void joinTiles(TileValues &rows);

} // namespace popscope
