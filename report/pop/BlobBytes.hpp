// Encodes and decodes the contents of a profile's BLOBs: little-endian numbers, and bytes that libdeflate compresses in
// zlib's format. libdeflate needs all data of a BLOB in memory. In return, libdeflate takes less than half of zlib's
// time, and its output is a tenth smaller than zlib's.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// Writes the bytes of an integer to `out`, little-endian.
template <class Integer> void storeLittle(char *out, Integer value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(out, &value, sizeof value);
  } else {
    for (std::size_t i = 0; i < sizeof value; ++i)
      out[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
  }
}
/// Returns the little-endian number in `Width` bytes. `Width` is at most 8.
template <std::size_t Width> [[nodiscard]] std::uint64_t loadLittle(const char *bytes) {
  std::uint64_t value = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&value, bytes, Width);
  } else {
    for (std::size_t i = 0; i < Width; ++i)
      value |= std::uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}
/// Appends the lowest `width` bytes of the value, little-endian. `width` is at most 8.
void appendLittle(std::string &out, std::uint64_t value, std::size_t width);
/// Appends the bytes of integers, each little-endian.
template <class Integer> void appendLittle(std::string &out, const std::vector<Integer> &numbers) {
  if constexpr (std::endian::native == std::endian::little) {
    out.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(Integer));
  } else {
    for (const Integer number : numbers)
      appendLittle(out, number, sizeof number);
  }
}
/// Returns the little-endian number in `width` bytes at the offset. The bytes must be within `bytes`.
[[nodiscard]] std::uint64_t readLittle(std::string_view bytes, std::size_t offset, std::size_t width);

/// Compresses quickly, at a low compression level. Each thread keeps the results for 8 recent inputs of at most 128 KiB
/// each, and does not compress these inputs again.
[[nodiscard]] std::string deflated(std::string_view bytes);
/// Decompresses `body`. Returns no value if `body` is corrupt, does not decompress to exactly `size` bytes, or has
/// further bytes after the compressed data.
[[nodiscard]] std::optional<std::string> inflatedExactly(std::string_view body, std::size_t size);

} // namespace popscope
