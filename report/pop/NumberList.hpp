// Lists of numbers of 32 bits as BLOBs, for columns that are not by tile: the byte 3, how many there are, and the
// blocks of TileBlocks with them. Decoding trusts nothing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

[[nodiscard]] std::string packList(const std::vector<std::uint32_t> &numbers);
/// How many bytes packList makes.
[[nodiscard]] std::size_t listBytes(const std::vector<std::uint32_t> &numbers);
/// Throws ProfileError (without a path) for a corrupt blob. Not more than 13 numbers for each of its bytes.
[[nodiscard]] std::vector<std::uint64_t> unpackList(std::string_view blob);
[[nodiscard]] bool isPackedList(std::string_view blob);

} // namespace popscope
