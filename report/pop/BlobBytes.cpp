#include "report/pop/BlobBytes.hpp"

#include "base/Check.hpp"

#include <zlib.h>

namespace popscope {

void appendLittle(std::string &out, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i)
    out.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

std::uint64_t readLittle(std::string_view bytes, std::size_t offset, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value |= std::uint64_t(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
  return value;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int rc = compress2(reinterpret_cast<Bytef *>(packed.data()), &size,
                           reinterpret_cast<const Bytef *>(bytes.data()), static_cast<uLong>(bytes.size()), 1);
  POPSCOPE_CHECK(rc == Z_OK, "zlib returned {}", rc);
  packed.resize(size);
  return packed;
}

std::optional<std::string> inflatedExactly(std::string_view body, std::size_t size) {
  std::string out(size, '\0');
  uLongf outSize = static_cast<uLongf>(size);
  uLong inSize = static_cast<uLong>(body.size());
  const int rc = uncompress2(reinterpret_cast<Bytef *>(out.data()), &outSize,
                             reinterpret_cast<const Bytef *>(body.data()), &inSize);
  if (rc != Z_OK || outSize != size || inSize != body.size())
    return std::nullopt;
  return out;
}

} // namespace popscope
