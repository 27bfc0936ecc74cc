#include "base/ReadOwnBytes.hpp"

#include <poplar/Error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <istream>
#include <limits>
#include <system_error>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxAtOnce = std::uint64_t(1) << 24;

[[noreturn]] void fail(const std::string &cause) {
  throw poplar::poplar_error("nothing can be read from this stream: " + cause);
}

/// Reads up to `count` bytes. The standard library reports a folder and faults of the medium by an exception in its own
/// words.
std::size_t read(std::istream &in, char *to, std::uint64_t count) {
  try {
    const std::streamsize got = in.rdbuf()->sgetn(to, static_cast<std::streamsize>(count));
    return static_cast<std::size_t>(std::max<std::streamsize>(got, 0));
  } catch (const std::system_error &error) {
    fail(error.code().message());
  }
}

void checkOpen(std::istream &in) {
  if (in.rdbuf() == nullptr || in.fail())
    fail("it is not open or has failed");
}

/// Appends up to `count` bytes. Returns false if the stream has fewer bytes.
bool append(std::istream &in, std::uint64_t count, std::string &to) {
  while (count != 0) {
    const std::uint64_t some = std::min(count, kMaxAtOnce);
    const std::size_t had = to.size();
    to.resize(had + some);
    to.resize(had + read(in, to.data() + had, some));
    if (to.size() != had + some)
      return false;
    count -= some;
  }
  return true;
}

} // namespace

std::string readOwnBytes(std::istream &in, std::size_t headerBytes, std::size_t lengthAt) {
  std::string bytes;
  checkOpen(in);
  if (!append(in, headerBytes, bytes))
    return bytes;
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data() + lengthAt, sizeof length);
  append(in, length, bytes);
  return bytes;
}

std::string readRest(std::istream &in) {
  std::string bytes;
  checkOpen(in);
  append(in, std::numeric_limits<std::uint64_t>::max(), bytes);
  return bytes;
}

} // namespace popscope
