// Blocks of 64 numbers. Each block is bit-packed relative to its smallest number (frame of reference). The file stores
// cycles per tile in this form: a block contains the cycles of one step on 64 neighbouring tiles.
//
//   byte 0      2, the codec
//   bytes 1-4   number of blocks n, little-endian
//   n bytes     bits of each number of a block, 0-32; 255: the block's numbers are unknown
//   n x 4       smallest number of each block, little-endian
//   rest        for each block its 64 numbers minus the smallest, each in as many bits as the block's byte states, from
//               the lowest bit of little-endian 64-bit words on; a block of numbers of b bits takes 8 b bytes
//
// The n bytes alone determine the position of each block. The decoder is safe for any bytes: the decoder checks every
// size before it allocates memory, and any bits decode to 32-bit numbers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

inline constexpr std::size_t kBlockNumbers = 64;
using NumberBlock = std::array<std::uint32_t, kBlockNumbers>;

class BlockEncoder {
public:
  /// Adds a block of 1 to 64 numbers. Copies of the last number fill the block.
  void add(const std::uint32_t *numbers, std::size_t count);
  /// Returns the blob of all added blocks, and removes them from the encoder.
  [[nodiscard]] std::string take();

private:
  std::vector<std::uint8_t> bits_;
  std::vector<std::uint32_t> smallest_;
  std::vector<std::uint64_t> words_;
};

/// Packs one number per tile into blocks. Copies of the last number fill the last block.
[[nodiscard]] std::string packTiles(const std::vector<std::uint32_t> &numbers);
/// Returns the size in bytes of the result of packTiles.
[[nodiscard]] std::size_t packedBytes(const std::vector<std::uint32_t> &numbers);
/// Unpacks exactly `tiles` numbers; the numbers of unknown blocks become 0. Throws ProfileError (without a path) for a
/// corrupt blob.
[[nodiscard]] std::vector<std::uint64_t> unpackTiles(std::string_view blob, std::size_t tiles);
/// Unpacks the number of one tile without unpacking the others. Throws as unpackTiles does.
[[nodiscard]] std::uint32_t unpackTile(std::string_view blob, std::size_t tiles, std::size_t tile);
[[nodiscard]] bool isPacked(std::string_view blob);

} // namespace popscope
