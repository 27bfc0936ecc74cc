#include "report/pop/BlobBytes.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <bit>
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

// As compress2 of the fastest level, but with tables as large as the bytes need: theirs take 256 KiB, which are cleared
// each time, and most of what is packed has a few thousand bytes.
std::string deflated(std::string_view bytes) {
  constexpr int kFastest = 1, kLeastWindow = 9, kMostWindow = 15, kMostMemory = 8;
  const int log = static_cast<int>(std::bit_width(bytes.size()));
  z_stream stream{};
  int rc = deflateInit2(&stream, kFastest, Z_DEFLATED, std::clamp(log, kLeastWindow, kMostWindow),
                        std::clamp(log - 6, 1, kMostMemory), Z_DEFAULT_STRATEGY);
  POPSCOPE_CHECK(rc == Z_OK, "zlib returned {}", rc);
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  std::size_t done = 0, written = 0;
  constexpr std::size_t kMostAtOnce = std::size_t(1) << 30;
  do { // zlib counts in 32 bits
    const std::size_t in = std::min(bytes.size() - done, kMostAtOnce),
                      out = std::min(packed.size() - written, kMostAtOnce);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data() + done));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef *>(packed.data() + written);
    stream.avail_out = static_cast<uInt>(out);
    rc = deflate(&stream, done + in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    done += in - stream.avail_in;
    written += out - stream.avail_out;
  } while (rc == Z_OK);
  deflateEnd(&stream);
  POPSCOPE_CHECK(rc == Z_STREAM_END, "zlib returned {}", rc);
  packed.resize(written);
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
