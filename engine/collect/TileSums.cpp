#include "engine/collect/TileSums.hpp"

#include <algorithm>

namespace popscope {

void joinTiles(TileValues &rows) {
  const auto precedes = [](const auto &a, const auto &b) { return a.first < b.first; };
  if (!std::is_sorted(rows.begin(), rows.end(), precedes))
    std::stable_sort(rows.begin(), rows.end(), precedes);
  std::size_t kept = 0;
  for (const auto &row : rows)
    if (kept > 0 && rows[kept - 1].first == row.first)
      rows[kept - 1].second += row.second;
    else
      rows[kept++] = row;
  rows.resize(kept);
}

} // namespace popscope
