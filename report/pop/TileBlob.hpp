// Encodes and decodes per-tile vectors as BLOBs, in one of three forms. The form for several tiles:
//
//   byte 0      bits 0-1 codec of the bytes after byte 4 (0 raw, 1 zlib), bits 2-3 log2 of the element width in
//               bytes, bit 4 sparse, rest 0
//   bytes 1-4   number of elements n, little-endian
//   dense:      n elements; element i belongs to tile i
//   sparse:     n ascending 32-bit tile numbers, then n elements
//
// The form for a single tile:
//
//   byte 0      bits 0-1 log2 of the tile number's width (0-2), bits 2-3 log2 of the element width, bit 5 set, rest 0
//   rest        the tile number, then its element, little-endian
//
// A third form is a list of numbers (NumberList.hpp): number i belongs to tile i. The encoder chooses the list even if
// the list is up to 1/8 larger than the result of zlib, because unpacking a list is much faster than decompressing. The
// encoder samples a few sequences of consecutive numbers. The encoder does not try zlib, and chooses the list, if three
// conditions hold: each sampled sequence occurs only once, at least one number in 8 differs from the previous number,
// and the list is smaller than the uncompressed forms. In this case, zlib would save hardly anything. The encoder never
// chooses the list for short vectors, for vectors with very few values, or for numbers of more than 32 bits.
//
// The decoder is safe for any bytes, because the decoder checks every size before it allocates memory.
#pragma once
#include "instrument/profile/Records.hpp"

#include <string_view>

namespace popscope {

/// Encodes values sorted by tile; tiles without an entry have 0. A single value gets the form for one tile. Several
/// values become a dense vector (for numTiles tiles), a sparse vector or a list. The sizes of these forms decide, as
/// described at the top of this file.
[[nodiscard]] std::string encodeTileValues(const TileValues &values, std::size_t numTiles);

/// Decodes a blob, and leaves out zeros. Throws ProfileError (without a path) for a corrupt blob or for a tile >=
/// maxTiles.
[[nodiscard]] TileValues decodeTileValues(std::string_view blob, std::size_t maxTiles);
/// Decodes a blob to one number per tile, at most maxTiles numbers. A sparse blob and a blob of a single tile give
/// exactly maxTiles numbers. Throws as decodeTileValues does.
[[nodiscard]] std::vector<std::uint64_t> decodeDense(std::string_view blob, std::size_t maxTiles);

/// Throws a ProfileError (without a path) for a fault in per-tile numbers. `what` describes the fault.
[[noreturn]] void throwCorruptTiles(const char *what);

} // namespace popscope
