// A mapping is skewed if a tile does not fit and the tile's highest address is at least twice the mean of the highest
// addresses of all tiles. Other tiles then usually have free memory for the variables of the full tile.
//
//   The mapping is skewed: the highest address of tile 0 is 992,120 B, and the mean of all 64 tiles is 32,055 B.
//   Map the variables of the table below to more tiles (Graph::setTileMapping), and the vertices that use them, too.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

struct MappingSkew {
  bool skewed = false;                  // false: all selected tiles fit, or the highest address is below twice the mean
  std::size_t tile = 0;                 // the fullest selected tile that does not fit
  std::uint64_t bytes = 0;              // bytes up to the highest address of this tile
  std::uint64_t mean = 0, allTiles = 0; // `mean`: mean of the bytes up to the highest address, over all tiles, rounded
                                        // down; `allTiles`: the number of all tiles
};

[[nodiscard]] MappingSkew mappingSkew(const pva::Report &report, const Selection &selection);
/// Adds the mean of the highest addresses of all tiles. If the mapping is skewed, also adds a statement about the skew,
/// advice on how to change the mapping, and the variables and constants that make the mapping skewed. A variable makes
/// the mapping skewed if the fullest tile has more than twice the variable's even share, that is, the variable's bytes
/// divided by the number of all tiles. Adds nothing if all selected tiles fit. `usual` is the maximum number of listed
/// variables without -n.
void addMappingSkew(const Request &request, const MappingSkew &skew, std::size_t usual, Rows &rows);

} // namespace popscope
