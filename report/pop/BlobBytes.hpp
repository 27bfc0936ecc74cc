// Encodes and decodes the contents of a profile's BLOBs: little-endian numbers, and bytes that libdeflate compresses in
// zlib's format. libdeflate needs all data of a BLOB in memory. In return, libdeflate takes less than half of zlib's
// time, and the output of libdeflate is a tenth smaller.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

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
/// Appends the lowest `width` bytes of the value, little-endian. `width` is at most 8.
void appendLittle(std::string &out, std::uint64_t value, std::size_t width);
/// Returns the little-endian number in `width` bytes at the offset. The bytes must be within `bytes`.
[[nodiscard]] std::uint64_t readLittle(std::string_view bytes, std::size_t offset, std::size_t width);

/// Compresses quickly, at a low compression level. Each thread keeps the results for 8 recent inputs of at most 128 KiB
/// each, and does not compress these inputs again.
[[nodiscard]] std::string deflated(std::string_view bytes);
/// Decompresses `body`. Returns the result if the whole `body` decompresses to exactly `size` bytes, and no value
/// otherwise.
[[nodiscard]] std::optional<std::string> inflatedExactly(std::string_view body, std::size_t size);

} // namespace popscope
