#include "base/ReadOwnBytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <istream>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxAtOnce = std::uint64_t(1) << 24;

/// Appends up to `count` bytes. Returns false if the stream has fewer bytes.
bool append(std::istream &in, std::uint64_t count, std::string &to) {
  while (count != 0) {
    const std::uint64_t some = std::min(count, kMaxAtOnce);
    const std::size_t had = to.size();
    to.resize(had + some);
    const std::streamsize got = in.rdbuf()->sgetn(to.data() + had, static_cast<std::streamsize>(some));
    to.resize(had + static_cast<std::size_t>(std::max<std::streamsize>(got, 0)));
    if (to.size() != had + some)
      return false;
    count -= some;
  }
  return true;
}

} // namespace

std::string readOwnBytes(std::istream &in, std::size_t headerBytes, std::size_t lengthAt) {
  std::string bytes;
  if (in.rdbuf() == nullptr || !append(in, headerBytes, bytes))
    return bytes;
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data() + lengthAt, sizeof length);
  append(in, length, bytes);
  return bytes;
}

} // namespace popscope
