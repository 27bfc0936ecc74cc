// Blocks of 64 numbers, each bit-packed from its smallest (frame of reference). The file stores cycles per tile in this
// form: one block is one step on 64 neighbouring tiles.
//
//   byte 0      2, the codec
//   bytes 1-4   number of blocks n, little-endian
//   n bytes     bits of each number of a block, 0-32; 255: the block's numbers are not known
//   n x 4       smallest number of each block, little-endian
//   rest        for each block its 64 numbers less the smallest, `bits` bits each, from the lowest bit of little-endian
//               64-bit words: 8 x bits bytes
//
// Any block is found from the n bytes alone. Decoding trusts nothing: every size is checked before memory is taken, and
// any bits give some numbers of 32 bits.
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
  /// Adds at most 64 numbers; the rest of the block repeats the last.
  void add(const std::uint32_t *numbers, std::size_t count);
  [[nodiscard]] std::size_t blocks() const { return bits_.size(); }
  /// Returns the blob of all added blocks and resets for the next one.
  [[nodiscard]] std::string take();

private:
  std::vector<std::uint8_t> bits_;
  std::vector<std::uint32_t> smallest_;
  std::vector<std::uint64_t> words_;
};

/// A view of a blob, which must outlive it.
class BlockDecoder {
public:
  /// Throws ProfileError (without a path) unless the blob holds `blocks` blocks and no byte more.
  BlockDecoder(std::string_view blob, std::size_t blocks);
  [[nodiscard]] bool known(std::size_t block) const { return bits(block) != kUnknown; }
  /// Reads the block's numbers; unknown ones are 0.
  void read(std::size_t block, NumberBlock &out) const;

private:
  static constexpr std::uint8_t kUnknown = 255;
  [[nodiscard]] std::uint8_t bits(std::size_t block) const { return static_cast<std::uint8_t>(blob_[5 + block]); }
  [[nodiscard]] std::uint32_t smallest(std::size_t block) const;
  std::string_view blob_;
  std::size_t blocks_;
  std::vector<std::uint32_t> offsets_; // offset of each block's words, in words
};

/// Packs one number per tile into blocks; the last block may have fewer numbers.
[[nodiscard]] std::string packTiles(const std::vector<std::uint32_t> &numbers);
/// Returns the size in bytes that packTiles gives.
[[nodiscard]] std::size_t packedBytes(const std::vector<std::uint32_t> &numbers);
/// Unpacks exactly `tiles` numbers. Throws ProfileError (without a path) for a corrupt blob.
[[nodiscard]] std::vector<std::uint64_t> unpackTiles(std::string_view blob, std::size_t tiles);
/// Unpacks one of the numbers without reading the others. Throws as unpackTiles.
[[nodiscard]] std::uint32_t unpackTile(std::string_view blob, std::size_t tiles, std::size_t tile);
[[nodiscard]] bool isPacked(std::string_view blob);

} // namespace popscope
