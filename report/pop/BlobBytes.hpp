// Encodes the contents of a profile's BLOBs: little-endian numbers, and bytes that are compressed in zlib's format.
// libdeflate compresses data that fits into memory. It writes the same format in less than half of zlib's time, and its
// output is a tenth smaller (docs/inside/measurements.md).
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace popscope {

/// Writes the bytes of an integer from `out` on, little-endian.
template <class Integer> void storeLittle(char *out, Integer value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(out, &value, sizeof value);
  } else {
    for (std::size_t i = 0; i < sizeof value; ++i)
      out[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
  }
}
/// Appends the lowest `width` bytes of the value.
void appendLittle(std::string &out, std::uint64_t value, std::size_t width);
/// Reads `width` bytes at the offset, which must be within `bytes`.
[[nodiscard]] std::uint64_t readLittle(std::string_view bytes, std::size_t offset, std::size_t width);

/// Compresses fast, at a low compression level. Each thread keeps its recent results and returns them without
/// compressing again.
[[nodiscard]] std::string deflated(std::string_view bytes);
/// Decompresses; returns nothing unless the whole body gives exactly `size` bytes.
[[nodiscard]] std::optional<std::string> inflatedExactly(std::string_view body, std::size_t size);

} // namespace popscope
