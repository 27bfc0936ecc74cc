#include "report/pop/BlobBytes.hpp"

#include "base/Check.hpp"

#include <array>
#include <libdeflate.h>
#include <memory>
#include <new>

namespace popscope {

void appendLittle(std::string &out, std::uint64_t value, std::size_t width) {
  std::array<char, sizeof value> bytes;
  storeLittle(bytes.data(), value);
  out.append(bytes.data(), width);
}

std::uint64_t readLittle(std::string_view bytes, std::size_t offset, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value |= std::uint64_t(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
  return value;
}

namespace {

struct Free {
  void operator()(libdeflate_compressor *c) const { libdeflate_free_compressor(c); }
  void operator()(libdeflate_decompressor *d) const { libdeflate_free_decompressor(d); }
};

// One compressor per thread: creating its tables takes longer than packing most blobs, which have a few thousand bytes.
libdeflate_compressor &compressor() {
  constexpr int kFastest = 1;
  static thread_local const std::unique_ptr<libdeflate_compressor, Free> made(libdeflate_alloc_compressor(kFastest));
  if (!made)
    throw std::bad_alloc();
  return *made;
}
libdeflate_decompressor &decompressor() {
  static thread_local const std::unique_ptr<libdeflate_decompressor, Free> made(libdeflate_alloc_decompressor());
  if (!made)
    throw std::bad_alloc();
  return *made;
}

std::string compress(std::string_view bytes) {
  std::string packed(libdeflate_zlib_compress_bound(&compressor(), bytes.size()), '\0');
  const std::size_t size =
      libdeflate_zlib_compress(&compressor(), bytes.data(), bytes.size(), packed.data(), packed.size());
  POPSCOPE_CHECK(size != 0, "{} bytes do not fit into what libdeflate takes for its bound, {}", bytes.size(),
                 packed.size());
  packed.resize(size);
  return packed;
}

/// The blobs that a thread compressed recently. The steps of a program are often equal on all tiles, and comparing a
/// few thousand bytes takes a hundredth of the time of compressing them.
class Lately {
public:
  const std::string &compressed(std::string_view bytes) {
    for (const Entry &entry : entries_)
      if (entry.bytes == bytes)
        return entry.packed;
    Entry &oldest = entries_[next_];
    next_ = (next_ + 1) % entries_.size();
    oldest = {std::string(bytes), compress(bytes)};
    return oldest.packed;
  }

private:
  struct Entry {
    std::string bytes, packed;
  };
  std::array<Entry, 8> entries_;
  std::size_t next_ = 0;
};

constexpr std::size_t kMaxRemembered = std::size_t(1) << 17; // bytes; larger blobs hardly ever repeat

} // namespace

std::string deflated(std::string_view bytes) {
  static thread_local Lately lately;
  return bytes.empty() || bytes.size() > kMaxRemembered ? compress(bytes) : lately.compressed(bytes);
}

std::optional<std::string> inflatedExactly(std::string_view body, std::size_t size) {
  std::string out(size, '\0');
  std::size_t read = 0, written = 0;
  const libdeflate_result result =
      libdeflate_zlib_decompress_ex(&decompressor(), body.data(), body.size(), out.data(), out.size(), &read, &written);
  if (result != LIBDEFLATE_SUCCESS || written != size || read != body.size())
    return std::nullopt;
  return out;
}

} // namespace popscope
