// Encodes and decodes lists of 32-bit numbers as BLOBs. The decoder is safe for any bytes, because the decoder checks
// every size.
//
//   byte 0      3, the codec
//   bytes 1-4   number of numbers, little-endian
//   rest        the numbers as blocks of TileBlocks
//
// If some numbers are 0 and the following form is shorter, the blob is:
//
//   byte 0      7, the codec
//   bytes 1-4   number of numbers n, little-endian
//   byte 5      s, 0-31: the number of lowest bits that are 0 in all numbers
//   mask        little-endian 64-bit words, n bits from the lowest bit of the first word on; a bit is 1 if its number
//               is not 0
//   rest        the numbers that are not 0, in order, each shifted right by s, as blocks of TileBlocks
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// A packed list. The numbers must outlive this object.
class ListPacker {
public:
  explicit ListPacker(const std::vector<std::uint32_t> &numbers);
  /// Returns the size of the packed list in bytes.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::string blob() const;

private:
  const std::vector<std::uint32_t> &numbers_;
  std::vector<std::uint64_t> mask_;    // one bit per number: 1 if the number is not 0
  std::vector<std::uint32_t> shifted_; // the numbers that are not 0, shifted right by shift_
  unsigned shift_ = 0;
  bool masked_ = false; // true: the blob contains the mask
  std::size_t bytes_ = 0;
};

[[nodiscard]] std::string packList(const std::vector<std::uint32_t> &numbers);
/// Unpacks a list. A list has at most 13 numbers per byte of its blob. This limits the memory that a corrupt blob can
/// take. Throws ProfileError (without a path) for a corrupt blob.
[[nodiscard]] std::vector<std::uint64_t> unpackList(std::string_view blob);
[[nodiscard]] bool isPackedList(std::string_view blob);

} // namespace popscope
