#include "report/summary/Format.hpp"
#include "report/summary/MemoryView.hpp"

namespace popscope {

OutOfMemoryRows collectOutOfMemory(const pva::Report &report) {
  constexpr std::size_t kShown = 5;
  OutOfMemoryRows rows;
  for (const std::uint32_t tile : report.popscope().tilesOutOfMemory()) {
    if (rows.tiles.size() == kShown)
      break;
    rows.tiles.push_back({tile, collectMemory(report, tile, tile + std::size_t(1))});
  }
  return rows;
}

void printText(std::ostream &out, const OutOfMemoryRows &rows, const Style &style) {
  for (const auto &tile : rows.tiles) {
    out << "\n" << style.alarm("Tile # " + commas(tile.tile) + " memory usage:") << "\n";
    printText(out, tile.memory, style);
  }
}

} // namespace popscope
