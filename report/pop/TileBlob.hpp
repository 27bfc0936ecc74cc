// Per-tile vectors as BLOBs.
//
//   byte 0      bits 0-1 codec (0 raw, 1 zlib), bits 2-3 log2 of the element width in bytes, bit 4 sparse, rest 0
//   bytes 1-4   count, little-endian
//   dense:      count elements; element i belongs to tile i
//   sparse:     count ascending 32-bit tile numbers, then count elements
//
// For a single tile:
//
//   byte 0      bits 0-1 log2 of the width of the tile number (0-2), bits 2-3 log2 of the element width, bit 5 set,
//   rest 0 rest        the tile number, then its element, little-endian
//
// Or a list of NumberList, whose number i belongs to tile i. The encoder chooses the list if the list is hardly larger
// than the other forms, because a list is unpacked much faster. If no value occurs twice, the encoder chooses the list
// without trying zlib, which would save hardly anything.
//
// Decoding trusts nothing: every size is checked before memory is taken.
#pragma once
#include "instrument/profile/Records.hpp"

#include <string_view>

namespace popscope {

/// Encodes sparse values, sorted by tile. Chooses the smallest of dense (over numTiles), sparse, a list, and the form
/// of one tile.
[[nodiscard]] std::string encodeTileValues(const TileValues &values, std::size_t numTiles);

/// Decodes a blob. Throws ProfileError (without a path) for a corrupt blob or for a tile >= maxTiles. Zeros are left
/// out.
[[nodiscard]] TileValues decodeTileValues(std::string_view blob, std::size_t maxTiles);
/// Decodes to a dense vector of at most maxTiles elements; a sparse blob gives exactly maxTiles.
[[nodiscard]] std::vector<std::uint64_t> decodeDense(std::string_view blob, std::size_t maxTiles);

/// Throws a ProfileError (without a path) that names the fault in the numbers of a profile's tiles.
[[noreturn]] void throwCorruptTiles(const char *what);

} // namespace popscope
